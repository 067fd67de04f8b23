import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, isTest, ROOT, readSourceFiles, type SourceFile } from './source-files.ts';

/** Where the one of each constant is declared. */
const DURATIONS = 'src/domain/time/durations.ts';
const VISIT_ROW = 'src/contract/rows/visit-row.ts';

const COPY_OF_DURATION = /\bconst (?:DAY|HOUR|MINUTE)(?:_MS)? = (?:\d{2}|(?:DAY|HOUR|MINUTE)\b)/;
const NO_VISIT_SPELLED_OUT = /0{8}-0{4}-0{4}-0{4}-0{12}/;

const DECLARED =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|type|interface|class) (\w+)/gm;

/** What the exports of a provider's own folder are called, as in every other provider's. */
const OF_EACH_PROVIDER = /^src\/providers\/\w+\/translate[\w-]*\.ts: translate[A-Z]\w*$/;

/** Exports that nothing imports here, and why. The list only shrinks. */
const UNUSED_BECAUSE: Readonly<Record<string, string>> = {
  'src/tracker/tracker.d.ts: StartOptions': 'applications import the tracker’s types',
  'src/tracker/tracker.d.ts: start': 'applications import the tracker',
};

describe('one thing has one name', () => {
  const sources = readSourceFiles();
  const tests = globSync('test/**/*.ts', { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
  const pathsOf = (files: readonly { path: string; text: string }[], copy: RegExp) =>
    files.filter(({ text }) => copy.test(text)).map(({ path }) => path);

  it('a day, an hour and a minute are declared in one file', () => {
    assert.deepEqual(pathsOf([...sources, ...tests], COPY_OF_DURATION), [DURATIONS]);
  });

  it('the visit of events without one is written out once', () => {
    assert.deepEqual(pathsOf([...sources, ...tests], NO_VISIT_SPELLED_OUT), [VISIT_ROW]);
  });

  const own = sources.filter((file) => !isTest(file));
  const exported = own.flatMap(({ path, text }) =>
    [...new Set(namesIn(text, DECLARED))].map((name) => ({ path, name, key: `${path}: ${name}` })),
  );

  it('each exported name is declared in one file, except what every provider translates', () => {
    const kept = exported.filter(({ key }) => !OF_EACH_PROVIDER.test(key));
    const places = Map.groupBy(kept, ({ name }) => name);
    const twice = [...places].filter(([, found]) => found.length > 1);
    assert.deepEqual(
      twice.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(', ')}`),
      [],
    );
  });

  it('what is exported is imported by another file', () => {
    const others = globSync('{test,bench,scripts}/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => ({
      ...{ path, room: '', text: readFileSync(join(ROOT, path), 'utf8') },
    }));
    const words = new Map<string, Set<string>>();
    for (const file of [...sources, ...others]) {
      const imported = wordsOf(file);
      for (const path of importsOf(file)) {
        words.set(path, (words.get(path) ?? new Set()).union(imported));
      }
    }
    const unused = exported.filter(({ path, name }) => !words.get(path)?.has(name));
    assert.deepEqual(unused.map(({ key }) => key).toSorted(), Object.keys(UNUSED_BECAUSE));
  });
});

/** The words of a file. */
function wordsOf({ text }: SourceFile): Set<string> {
  return new Set(namesIn(text, /\b(\w+)\b/g));
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
