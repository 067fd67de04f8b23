import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCycles } from './find-cycles.ts';
import { importsOf, isTest, readSourceFiles, type SourceFile } from './source-files.ts';

describe('the folders of a room', () => {
  const files = readSourceFiles().filter((file) => !isTest(file));

  const rooms = new Set(files.map((file) => file.room));
  rooms.delete('settings.ts');
  for (const room of rooms) {
    it(`of ${room} import each other in one direction`, () => {
      assert.deepEqual(findFolderCycles(files.filter((file) => file.room === room)), []);
    });
  }

  it('differ at every level, with the files beside them as one more', () => {
    const file = (path: string, ...imports: string[]): SourceFile => ({
      path: `src/room/${path}`,
      room: 'room',
      text: imports.map((each) => `import '#room/${each}';`).join('\n'),
    });
    const one = [file('a/one.ts', 'b/deep/two.ts'), file('b/two.ts', 'a/three.ts')];
    assert.equal(findFolderCycles(one).length, 1, 'a → b → a');
    assert.equal(findFolderCycles([file('top.ts', 'a/b.ts'), file('a/c.ts', 'd.ts')]).length, 1);
    const nested = [file('a/b/one.ts', 'a/c/two.ts'), file('a/c/one.ts', 'a/three.ts')];
    assert.deepEqual(findFolderCycles(nested), []);
    const tied = [...nested, file('a/four.ts', 'a/b/one.ts')];
    assert.match(findFolderCycles(tied)[0] ?? '', /^src\/room\/a: b → c → \. → b\n/);
  });
});

/**
 * Each cycle of folders, and of the files beside them, with the imports that make it.
 *
 * - Shape: a folder with all that is below it is one thing to what lies beside it. Types count.
 */
function findFolderCycles(files: readonly SourceFile[]): string[] {
  const arrows = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith(`src/${file.room}/`))
      .map((path) => ({ ...placesOf(file.path, path), name: `${file.path} imports ${path}` }))
      .filter(({ from, to }) => from !== to),
  );
  const levels = Map.groupBy(arrows, ({ level }) => level);
  return [...levels].flatMap(([level, own]) => {
    const byPlace = Map.groupBy(own, ({ from }) => from);
    const targets = new Map([...byPlace].map(([from, out]) => [from, new Set(out.map(toOf))]));
    return findCycles(targets).map((cycle) => {
      const imports = own.filter(({ from, to }) => cycle[cycle.indexOf(from) + 1] === to);
      return [`${level}: ${cycle.join(' → ')}`, ...imports.map(({ name }) => name)].join('\n  ');
    });
  });
}

const toOf = ({ to }: { readonly to: string }): string => to;

/** The folder that holds both files, and the folder in it that holds each: `.` for a file right in it. */
function placesOf(from: string, to: string) {
  const [own, other] = [from.split('/'), to.split('/')];
  const depth = own.findIndex((part, index) => part !== other[index]);
  const placeOf = (parts: readonly string[]) =>
    parts.length - 1 === depth ? '.' : (parts[depth] ?? '.');
  return { level: own.slice(0, depth).join('/'), from: placeOf(own), to: placeOf(other) };
}
