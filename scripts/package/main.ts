import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressFile } from '../build-dashboard.ts';
import { type Lockfile, lockDependencies } from './lock-dependencies.ts';
import { stripTypes } from './strip-types.ts';
import { trimPlaces } from './trim-places.ts';

/**
 * `node main.ts FOLDER` makes the package for those who run Tributary without its checkout. `npm run package` builds what
 * goes into it, and packs it as `dist/tributary-analytics-VERSION.tgz`.
 *
 * It has the checkout's folders, so every path from file to file stays as it is: the sources without types, the built
 * dashboard and script, the data, and the locations reduced to what is read of them.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist/package'));

/** At npm, the name `tributary` belongs to another project. */
const NAME = 'tributary-analytics';

/** Packages that the checkout needs and this package does not: those of Node, the locations, and a tool's. */
const isLeftOut = (name: string) =>
  /^node-(bin-)?(darwin|linux)-|^@ip-location-db\/|^openapi-typescript$/.test(name);

const COPIED = ['data', 'docs', 'dist/dashboard', 'dist/tracker'];
const COPIED_FILES = ['README.md', 'CHANGELOG.md', 'LICENSE'];

type Manifest = Readonly<Record<string, unknown>> & {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly imports: Readonly<Record<string, string>>;
};

rmSync(OUT, { recursive: true, force: true });
for (const path of globSync('src/**/*.*', { cwd: ROOT })) if (isServers(path)) copySource(path);
for (const path of [...COPIED, ...COPIED_FILES]) {
  cpSync(join(ROOT, path), join(OUT, path), { recursive: true });
}
save('bin/tributary.cjs', readFileSync(join(ROOT, 'scripts/package/tributary.cjs')));
chmodSync(join(OUT, 'bin/tributary.cjs'), 0o755);
await nameProgramInDashboard();
for (const file of ['ipv4.mmdb', 'ipv6.mmdb']) {
  const source = createRequire(import.meta.url).resolve(`#places/${file}`);
  save(`data/places/${file}`, trimPlaces(readFileSync(source)));
}
const manifest = toManifest(readJson<Manifest>('package.json'));
save('package.json', toJson(manifest));
const lockfile = readJson<Lockfile>('package-lock.json');
save('npm-shrinkwrap.json', toJson(lockDependencies(lockfile, manifest)));

/** The dashboard names commands as the checkout runs them. */
async function nameProgramInDashboard(): Promise<void> {
  const folder = join(OUT, 'dist/dashboard');
  for (const path of globSync('**/*.js', { cwd: folder })) {
    const code = readFileSync(join(folder, path), 'utf8');
    const named = code.replaceAll('npm run tributary -- ', 'tributary ');
    if (named === code) continue;
    writeFileSync(join(folder, path), named);
    await compressFile(join(folder, path));
  }
}

/** The browser's parts are in `dist`, and tests stay in the checkout. */
function isServers(path: string): boolean {
  return !/^src\/(dashboard|tracker)\/|\.test\.ts$|\.md$|tsconfig\.json$/.test(path);
}

function copySource(path: string): void {
  const source = readFileSync(join(ROOT, path), 'utf8');
  if (path.endsWith('.ts')) save(path.replace(/\.ts$/, '.js'), stripTypes(source));
  else save(path, source);
}

function toManifest({ version, description, license, exports, imports, ...named }: Manifest) {
  const keep = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !isLeftOut(name)));
  return {
    ...{ name: NAME, version, description, license, type: 'module' },
    engines: { node: '>=26' },
    bin: { tributary: 'bin/tributary.cjs' },
    imports: { '#places/*': './data/places/*', '#*': imports['#*'] },
    exports,
    dependencies: keep(named.dependencies),
    overrides: keep(named.overrides),
  };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function save(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  writeFileSync(join(OUT, path), content);
}
