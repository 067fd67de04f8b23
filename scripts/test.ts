import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { compose } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keepCompiled } from '#processes/keep-compiled.ts';
import { readCosts } from '../test/run/file-costs.ts';
import { toUsageFault, toWhole } from '../test/run/usage-fault.ts';
import { bundleProgram } from './bundle-program.ts';

/**
 * Runs the tests and ends with a line `N passed, N failed`.
 *
 * - `npm test` runs all except those of whole systems.
 * - `npm run test:system` runs those in `test/system`, with real servers and browsers.
 * - `npm run test:shipped` runs those in `test/shipped`: what people install. With `--system`, both.
 * - `npm test -- FILE…` runs only these files, or those of a folder.
 * - `npm test -- --worlds N` makes N random worlds in each test that compares with a reference.
 */
const SYSTEM = 'test/system/';
const SHIPPED = 'test/shipped/';
const isOfSystems = (path: string) => path.startsWith(SYSTEM) || path.startsWith(SHIPPED);

/** Folders of system tests whose files are long and share nothing: each has a process of its own. */
const ALONE = [`${SYSTEM}crash`, `${SHIPPED}install`];
/** Folders whose files share a process with those of another: both need the examples with their packages. */
const TOGETHER = new Map([[`${SHIPPED}packages`, `${SHIPPED}examples`]]);
/** Long folders, whose files get two processes. */
const HALVED = ['dashboard', 'data', 'e2e'].map((name) => SYSTEM + name);

/** Folders of long tests, the longest first: each has a process of its own. All the others share one, and so do all rooms. */
const LONG = [
  ...['test/report/query', 'test/report', 'src/warehouse', 'test/contracts/ledger'],
  ...['src/processes', 'test/warehouse', 'test/dashboard', 'test/ledger/payments', 'test/ledger'],
  ...['test/contracts', 'src/journal'],
];

/** More than the cores: groups often wait for their engines and databases. */
const GROUPS_AT_ONCE = Math.min(5, availableParallelism() + 2);
/** Each is a tree of processes, which waits for browsers, and for what is shipped once a second. */
const SYSTEMS_AT_ONCE = Math.min(6, availableParallelism() + 3);

/** A group that takes longer hangs. This does not measure speed: a machine may be busy. */
const GROUP_MAX_MS = 3_600_000;

/** The longest groups start first, so that none is left running alone at the end. */
const LONGEST = [
  ...['data', 'dashboard', 'api'].map((name) => SYSTEM + name),
  ...['examples', 'install/image', 'install/package', ''].map((name) => SHIPPED + name),
  ...['people', 'shop', 'server', 'e2e', 'crash/kill', 'bad-input', ''].map(
    (name) => SYSTEM + name,
  ),
  ...[...LONG, 'test', 'src'],
];

/** Of a whole run; of files that are named, all are shown. */
const SLOWEST_SHOWN = 10;

const { kinds, worlds, files } = readArguments();
if (worlds !== undefined) process.env.TEST_WORLDS = String(worlds);
keepCompiled();
// Servers serve the built tracker, and its source may have changed since.
execFileSync(process.execPath, [fileURLToPath(new URL('build.ts', import.meta.url))]);
const folder = mkdtempSync(join(tmpdir(), 'tributary-run-'));
process.env.TEST_COSTS = join(folder, 'costs');
if (kinds.length > 0) process.env.TEST_PROGRAM = await bundleProgram();

let passed = 0;
let failed = 0;
await runFiles(files.length > 0 ? files.flatMap(filesOf) : findFiles(kinds));
showSlowest();
rmSync(folder, { recursive: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        system: { type: 'boolean' },
        shipped: { type: 'boolean' },
        worlds: { type: 'string' },
      },
      allowPositionals: true,
    });
    const worlds = values.worlds === undefined ? undefined : toWhole(values.worlds, 1);
    if (values.worlds !== undefined && worlds === undefined) {
      usage(`--worlds takes a whole number from 1 on, not ${values.worlds}`);
    }
    const kinds = [...(values.system ? [SYSTEM] : []), ...(values.shipped ? [SHIPPED] : [])];
    return { kinds, worlds, files: positionals };
  } catch (error) {
    return usage(toUsageFault(error));
  }
}

function usage(fault: string): never {
  process.stderr.write(`test: ${fault}\nusage: npm test -- [--worlds N] [FILE…]\n`);
  process.exit(2);
}

/** The tests in these folders of systems; without any, all others. */
function findFiles(kinds: readonly string[]): string[] {
  const found = globSync(['test/**/*.test.ts', 'src/**/*.test.ts']).sort();
  if (kinds.length === 0) return found.filter((file) => !isOfSystems(file));
  return found.filter((file) => kinds.some((folder) => file.startsWith(folder)));
}

/** The tests of a folder; a file as it is. */
function filesOf(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? globSync(`${path}/**/*.test.ts`).sort() : [path];
}

/** The files of a group share a process, and with it servers, browsers, what Node has loaded, and what it has compiled. */
function groupOf(file: string): string {
  if (!isOfSystems(file)) {
    return LONG.find((name) => file.startsWith(`${name}/`)) ?? file.replace(/\/.*/, '');
  }
  const folder = file.split('/', 3).join('/');
  return ALONE.includes(folder) ? file : (TOGETHER.get(folder) ?? folder);
}

/** One module per group, those with the longest files first: engines and servers. */
function writeGroups(files: readonly string[]): string[] {
  const groups = [...Map.groupBy(files, groupOf)].flatMap(split);
  const ordered = groups.sort(([a], [b]) => rankOf(a) - rankOf(b));
  return ordered.map(([name, paths]) => {
    const module = join(folder, `${name.replaceAll('/', '-')}.test.mjs`);
    const absolute = JSON.stringify(paths.map((path) => resolve(path)));
    const runner = new URL('../test/run/run-group.ts', import.meta.url).href;
    writeFileSync(
      module,
      `import { runGroup } from '${runner}';\nrunGroup('${name}', ${absolute});\n`,
    );
    return module;
  });
}

type Group = readonly [name: string, paths: readonly string[]];

/** Splits a long group into two processes. */
function split([name, paths]: Group): Group[] {
  if (!HALVED.includes(name) || paths.length < 2) return [[name, paths]];
  const half = Math.ceil(paths.length / 2);
  return [paths.slice(0, half), paths.slice(half)].map((part, index) => [
    `${name}-${index + 1}`,
    part,
  ]);
}

function rankOf(group: string): number {
  return LONGEST.findIndex((beginning) => group.startsWith(beginning));
}

async function runFiles(files: string[]): Promise<void> {
  const preload = new URL('../test/run/end-left-open.ts', import.meta.url).href;
  const events = run({
    files: writeGroups(files),
    concurrency: files.some(isOfSystems) ? SYSTEMS_AT_ONCE : GROUPS_AT_ONCE,
    timeout: GROUP_MAX_MS,
    execArgv: ['--import', preload],
  });
  events.on('test:pass', (test) => {
    if (test.details.type !== 'suite' && test.skip === undefined) passed += 1;
  });
  events.on('test:fail', (test) => {
    // For a suite, only failures other than its tests'.
    const { failureType } = test.details.error as { readonly failureType?: string };
    const isOwn = failureType !== 'subtestsFailed';
    if (test.details.type !== 'suite' || isOwn) failed += 1;
  });
  const report = compose(events, spec);
  report.pipe(process.stdout, { end: false });
  await new Promise((resolve) => report.once('end', resolve));
}

/** Shows where the time goes, to help reduce it. */
function showSlowest(): void {
  const costs = readCosts(join(folder, 'costs'));
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`.padStart(8);
  const all = costs.reduce((sum, { processorMs }) => sum + processorMs, 0);
  const sorted = costs.toSorted((a, b) => b.processorMs - a.processorMs);
  const slowest = files.length > 0 ? sorted : sorted.slice(0, SLOWEST_SHOWN);
  process.stdout.write(`\nprocessor time: ${seconds(all)}; the most:\n`);
  for (const { file, wallMs, processorMs } of slowest) {
    process.stdout.write(`${seconds(processorMs)} in ${seconds(wallMs)}  ${relative('', file)}\n`);
  }
}
