import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT, readDoc } from './source-files.ts';

type Manifest = {
  readonly [Name in 'name' | 'version' | 'description' | 'license' | 'type']?: string;
} & {
  readonly exports?: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly files?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: unknown;
};

/** How many lines of source a package may have. What is made from the contract does not count. */
const LINES_MAX = 600;
const MADE = 'packages/server/src/contract.ts';
/** A README fits one screen. */
const README_LINES_MAX = 60;

/** What a package may import besides itself, and why. */
const MAY: Readonly<Record<string, { readonly may: readonly string[]; readonly because: string }>> =
  {
    server: { may: [], because: 'it runs wherever fetch does' },
    proxy: { may: [], because: 'it runs wherever fetch does' },
    script: { may: [], because: 'it is the tracker, built as a module' },
    next: {
      may: ['@tributary/proxy', '@tributary/script', '@tributary/server', 'next', 'react'],
      because: 'it fits the others into Next.js',
    },
    'better-auth': {
      may: ['@tributary/server', 'better-auth'],
      because: 'it tells the client who has signed up',
    },
  };

describe('the packages', () => {
  const names = globSync('packages/*/package.json', { cwd: ROOT }).map(
    (path) => path.split('/')[1] ?? '',
  );
  const manifestOf = (name: string) =>
    JSON.parse(readDoc(`packages/${name}/package.json`)) as Manifest;
  const sourcesOf = (name: string) => globSync(`packages/${name}/src/**/*`, { cwd: ROOT });

  it('are those whose imports are settled', () => {
    assert.deepEqual(names.toSorted(), Object.keys(MAY).toSorted());
  });

  for (const [name, { may, because }] of Object.entries(MAY)) {
    it(`${name} imports ${may.join(', ') || 'nothing'}, because ${because}`, () => {
      const breaches = sourcesOf(name).flatMap((path) =>
        specifiersOf(path)
          .filter((specifier) => !specifier.startsWith('./'))
          .filter((specifier) => isBuiltin(specifier) || !may.includes(packageOf(specifier)))
          .map((specifier) => `${path} imports ${specifier}`),
      );
      assert.deepEqual(breaches, []);
      const { dependencies = {}, peerDependencies = {} } = manifestOf(name);
      const wanted = Object.keys({ ...dependencies, ...peerDependencies });
      assert.deepEqual(wanted.toSorted(), [...may]);
    });

    it(`${name} is at most ${LINES_MAX} lines, and its README one screen`, (t) => {
      const own = sourcesOf(name).filter((path) => path !== MADE);
      const lines = own.reduce((sum, path) => sum + readDoc(path).split('\n').length - 1, 0);
      t.diagnostic(`@tributary/${name}: ${lines} of ${LINES_MAX} lines`);
      assert.ok(lines <= LINES_MAX, `${lines} lines`);
      const readme = readDoc(`packages/${name}/README.md`).split('\n').length - 1;
      assert.ok(readme <= README_LINES_MAX, `README.md: ${readme} lines`);
    });

    it(`${name} says what it is, of one version with the others`, () => {
      const manifest = manifestOf(name);
      const { version } = JSON.parse(readDoc('package.json')) as Manifest;
      const said = { name: manifest.name, version: manifest.version, license: manifest.license };
      assert.deepEqual(said, { name: `@tributary/${name}`, version, license: 'MIT' });
      assert.deepEqual([manifest.type, manifest.files], ['module', ['dist']]);
      assert.equal(manifest.scripts, undefined, 'the build of the repository builds it');
      for (const [other, wanted] of Object.entries(manifest.dependencies ?? {})) {
        assert.equal(wanted, version, `${other} is of the same version`);
      }
      for (const { types, default: code } of Object.values(manifest.exports ?? {})) {
        assert.equal(types.replace('.d.ts', ''), code.replace('.js', ''));
        const source = basename(code).replace('.js', '.ts');
        assert.ok(name === 'script' || existsSync(join(ROOT, 'packages', name, 'src', source)));
      }
    });

    it(`${name} documents every export`, () => {
      const undocumented = sourcesOf(name).flatMap((path) => {
        const lines = readDoc(path).split('\n');
        return lines.flatMap((line, index) => {
          const [, exported] =
            /^export (?:async )?(?:const|function|type|interface|class) (\w+)/.exec(line) ?? [];
          const isDocumented = lines[index - 1]?.trim().endsWith('*/');
          return exported === undefined || isDocumented ? [] : [`${path}: ${exported}`];
        });
      });
      assert.deepEqual(undocumented, []);
    });
  }

  it('are no part of the server, which imports none of them', () => {
    const breaches = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((path) =>
      specifiersOf(path).some(
        (specifier) => specifier.startsWith('@tributary/') || specifier.includes('packages/'),
      ),
    );
    assert.deepEqual(breaches, []);
  });

  it('have one lockfile, the repository’s', () => {
    assert.deepEqual(globSync('packages/*/package-lock.json', { cwd: ROOT }), []);
    const { packages } = JSON.parse(readDoc('package-lock.json')) as {
      packages: Readonly<Record<string, { readonly link?: boolean }>>;
    };
    for (const name of names) {
      assert.equal(packages[`node_modules/@tributary/${name}`]?.link, true, name);
    }
  });
});

function specifiersOf(path: string): string[] {
  const found = readDoc(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map((match) => match[1] ?? '');
}

/** `next/headers.js` is of `next`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
