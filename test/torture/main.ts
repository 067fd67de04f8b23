import { parseArgs } from 'node:util';
import { keepCompiled } from '../keep-compiled.ts';
import { type RowRun, writeTable } from './figures-table.ts';
import type { Row, RowReport } from './row.ts';
import { ROWS } from './rows.ts';

const USAGE = `usage: npm run torture -- [options]

  --quick     every row in its quick size; the full size otherwise, which takes days
  --row ID    only this row; may be given more than once
  --seed N    the plan; a seed that fails fails again (1)
  --readme    write the figures into the README's table
  --json      print one JSON value
  --web-concurrency N  how many web processes each server has (1)
  --help      this text

Rows, each with the option that sets its size, the quick one and the full one:

${ROWS.map(toHelp).join('')}
A row that cannot run here says what is missing and counts as neither passed nor failed.
`;

const sizeOptions = Object.fromEntries(ROWS.map((row) => [row.unit, { type: 'string' }] as const));
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    row: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    readme: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'web-concurrency': { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
    ...sizeOptions,
  },
});
const sizes = values as Readonly<Record<string, unknown>>;
const seed = Number(values.seed);
keepCompiled();
process.env.WEB_CONCURRENCY = values['web-concurrency']; // Every server that a row starts takes it.
const rows = ROWS.filter((row) => values.row === undefined || values.row.includes(row.id));
const fault = findFault();
if (values.help || fault !== undefined) {
  process.stderr.write(fault === undefined ? USAGE : `${fault}\n\n${USAGE}`);
  process.exit(fault === undefined ? 0 : 2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

let passed = 0;
let failed = 0;
const results: unknown[] = [];
const runs: RowRun[] = [];
for (const row of rows) {
  const obstacle = row.findObstacle?.();
  if (obstacle !== undefined) {
    say(`\n${row.id}  ${row.title}\n  cannot run here: ${obstacle}\n`);
    results.push({ id: row.id, obstacle });
    continue;
  }
  const amount = sizeOf(row);
  say(`\n${row.id}  ${row.title}\n  seed ${seed}, ${amount} ${row.unit}\n`);
  const from = performance.now();
  const report = await runRow(row, amount);
  const seconds = Math.round((performance.now() - from) / 1_000);
  const faults = report.checks.filter((check) => check.failure !== undefined);
  passed += report.checks.length - faults.length;
  failed += faults.length;
  results.push({ id: row.id, seed, amount, seconds, ...report });
  runs.push({ row, seed, amount, seconds, report });
  say(toText(report, seconds));
}
say(`\n${passed} passed, ${failed} failed\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ passed, failed, rows: results })}\n`);
if (values.readme) writeTable(runs, ROWS);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** What is wrong with the options. */
function findFault(): string | undefined {
  if (!Number.isSafeInteger(seed)) return `--seed takes a whole number, not ${values.seed}`;
  const unknown = values.row?.find((id) => !ROWS.some((row) => row.id === id));
  if (unknown !== undefined) return `there is no row ${unknown}`;
  const odd = ROWS.find(({ unit }) => sizes[unit] !== undefined && !(Number(sizes[unit]) >= 1));
  return odd && `--${odd.unit} takes a whole number from 1 on, not ${sizes[odd.unit]}`;
}

function sizeOf(row: Row): number {
  if (sizes[row.unit] !== undefined) return Math.trunc(Number(sizes[row.unit]));
  return values.quick ? row.quick : row.full;
}

function toHelp({ id, title, unit, quick, full }: Row): string {
  const size = `${quick.toLocaleString('en')}, ${full.toLocaleString('en')}`;
  return `  ${id.padEnd(5)} ${`--${unit} N`.padEnd(13)} ${size.padEnd(20)} ${title}\n`;
}

/** A row that throws has failed one check, with what it threw. */
async function runRow(row: Row, amount: number): Promise<RowReport> {
  const log = (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K  ${line}`);
  };
  try {
    return await row.run({ seed, amount, log });
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { numbers: {}, checks: [{ rule: 'the row runs to its end', failure }] };
  } finally {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

function toText({ numbers, checks }: RowReport, seconds: number): string {
  const figures = Object.entries(numbers).map(([name, value]) => `  ${name}: ${value}\n`);
  const faults = checks
    .filter((check) => check.failure !== undefined)
    .map((check) => `  FAILED ${check.rule}: ${check.failure}\n`);
  const good = checks.length - faults.length;
  return `${figures.join('')}${faults.join('')}  ${good} passed, ${faults.length} failed, in ${seconds} s\n`;
}

function say(text: string): void {
  if (!values.json) process.stdout.write(text);
}
