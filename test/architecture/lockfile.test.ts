import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './source-files.ts';

type Entry = {
  readonly version: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
};
type Lockfile = { readonly packages: Readonly<Record<string, Entry>> };
type Manifest = {
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** The engine's builds that the registry did not hand out when the lockfile was made. It only shrinks. */
const WITHOUT_HASH: ReadonlySet<string> = new Set([
  'node_modules/@chdb/lib-darwin-arm64',
  'node_modules/@chdb/lib-darwin-x64',
  'node_modules/@chdb/lib-linux-arm64-gnu',
]);

describe('what npm ci installs', () => {
  const read = <T>(name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as T;
  const { packages } = read<Lockfile>('package-lock.json');
  const manifest = read<Manifest>('package.json');
  /** Our own packages are linked, not installed. */
  const isOwn = (path: string) =>
    path === '' || /^(?:node_modules\/@tributary|packages)\//.test(path);
  const installed = Object.entries(packages).filter(([path]) => !isOwn(path));

  it('is the bytes of the lockfile: each entry has their hash', () => {
    const without = installed.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
    assert.deepEqual(new Set(without.map(([path]) => path)), WITHOUT_HASH);
  });

  it('is locked for every platform', () => {
    const locked = new Set(installed.map(([path]) => path.replace(/^.*node_modules\//, '')));
    const wanted = Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}),
    );
    assert.deepEqual(
      wanted.filter((name) => !locked.has(name)),
      [],
    );
  });

  it('is Node itself, from the package of the platform', () => {
    const nodes = Object.keys(manifest.optionalDependencies).filter((name) => /^node-/.test(name));
    const platforms = nodes.map((name) => name.replace(/^node-(bin-)?/, ''));
    assert.deepEqual(platforms.sort(), ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']);
    assert.equal(packages['node_modules/node'], undefined);
    const versions = new Set(nodes.map((name) => packages[`node_modules/${name}`]?.version));
    assert.deepEqual([...versions], [process.versions.node]);
  });

  it('runs no script of a package, and npm has nothing to warn of', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripted.map(([path]) => path.replace('node_modules/', ''));
    assert.deepEqual(manifest.allowScripts, Object.fromEntries(names.map((name) => [name, false])));
    const tooNew = installed.filter(([, { engines }]) =>
      /^>= ?2[1-9](?!.*\|\| *>= ?20\.)/.test(engines?.node ?? ''),
    );
    assert.deepEqual(tooNew, [], 'npm warns on Node 20');
  });
});
