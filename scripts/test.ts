import { globSync } from 'node:fs';
import { compose } from 'node:stream';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/**
 * Runs every test, or those whose paths are given, and ends with a line `N passed, N failed`.
 *
 * Why two files at a time: each may run a whole server, and the smallest machine has two cores.
 */
const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']);

let passed = 0;
let failed = 0;
const events = run({ files: files.sort(), concurrency: 2, timeout: 240_000 });
events.on('test:pass', (test) => {
  if (test.details.type !== 'suite' && test.skip === undefined) passed += 1;
});
events.on('test:fail', (test) => {
  if (test.details.type !== 'suite') failed += 1;
});
const report = compose(events, spec);
report.pipe(process.stdout);
await new Promise((resolve) => report.once('end', resolve));

process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
