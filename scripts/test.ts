import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { compose } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { keepCompiled } from '../test/keep-compiled.ts';

/**
 * Runs every test, or those whose paths are given, and ends with a line `N passed, N failed`.
 *
 * Why one file more than there are cores: a third of the time a file waits for its server.
 */
const FILES_AT_ONCE = Math.min(4, availableParallelism() + 1);

/** All together take less than twenty minutes, on half a slow machine four times that; whoever waits longer hangs. */
const ALL_MAX_MS = 80 * 60_000;
const FILE_MAX_MS = 600_000;
const ABORT_MAX_MS = 20_000;

/** Kills, stops and floods in their quick sizes, which would judge whatever ran beside them. */
const TORTURE = 'test/torture/torture.test.ts';

/** Files of many seconds come first, so that none of them is left running alone at the end. */
const LONGEST = ['test/torture/', 'test/graceful-stop', 'test/rebuild', 'test/', 'src/'];

keepCompiled();
// Servers hand the tracker out as it was built, and the source may have changed since.
execFileSync(process.execPath, [fileURLToPath(new URL('build.ts', import.meta.url))]);
const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']);
const rankOf = (file: string) => LONGEST.findIndex((beginning) => file.startsWith(beginning));
files.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));

let passed = 0;
let failed = 0;
const ending = new AbortController();
setTimeout(() => {
  process.stdout.write(`\nnot ended after ${ALL_MAX_MS / 60_000} minutes\n`);
  failed += 1;
  ending.abort();
  setTimeout(end, ABORT_MAX_MS).unref();
}, ALL_MAX_MS).unref();
const isTorture = (file: string) => file.endsWith(TORTURE);
const alone = files.filter(isTorture);
const together = files.filter((file) => !isTorture(file));
await runFiles(together, { concurrency: FILES_AT_ONCE, timeout: FILE_MAX_MS });
await runFiles(alone, { concurrency: 1, timeout: ALL_MAX_MS });
end();

async function runFiles(
  files: string[],
  limits: { readonly concurrency: number; readonly timeout: number },
): Promise<void> {
  if (files.length === 0) return;
  const events = run({
    files,
    ...limits,
    signal: ending.signal,
    execArgv: ['--import', new URL('../test/end-left-open.ts', import.meta.url).href],
  });
  events.on('test:pass', (test) => {
    if (test.details.type !== 'suite' && test.skip === undefined) passed += 1;
  });
  events.on('test:fail', (test) => {
    if (test.details.type !== 'suite') failed += 1;
  });
  const report = compose(events, spec);
  report.pipe(process.stdout, { end: false });
  await new Promise((resolve) => report.once('end', resolve));
}

function end(): never {
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
