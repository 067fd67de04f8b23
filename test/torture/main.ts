import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Row, RowReport } from './row.ts';
import { ROWS } from './rows.ts';

/** Which of a row's numbers the docs show. */
const FIGURES_OF_DOCS = new Set([
  'events acknowledged',
  'events found',
  'lost',
  'doubled',
  'payments acknowledged',
  'slowest recovery, ms',
  'slowest return of the engine, ms',
  'slowest resumption, ms',
  'replays',
  'answers lost',
  'calls that failed',
  'accepted',
  'refused',
  'p99 beside them, ms',
  'p99, ms',
]);

const USAGE = `usage: npm run torture -- [options]

  --quick         every row in the size that CI runs; the full size otherwise
  --row ID        only this row; may be given more than once
  --seed N        the plan; a seed that fails fails again (1)
  --docs          write the figures into docs/reliability.md
  --json          print one JSON value
${ROWS.map((row) => `  ${`--${row.unit} N`.padEnd(16)}how many for ${row.id}: ${row.quick} when quick, else ${row.full}`).join('\n')}

Rows:
${ROWS.map((row) => `  ${row.id.padEnd(5)} ${row.title}`).join('\n')}
`;

const amountOptions = Object.fromEntries(
  ROWS.map((row) => [row.unit, { type: 'string' }] as const),
);
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    row: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    docs: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    ...amountOptions,
  },
});
const amounts = values as Readonly<Record<string, unknown>>;
const seed = Number(values.seed);
const rows = ROWS.filter((row) => values.row === undefined || values.row.includes(row.id));
const unknown = values.row?.filter((id) => !ROWS.some((row) => row.id === id)) ?? [];
if (values.help || unknown.length > 0 || !Number.isSafeInteger(seed)) {
  process.stderr.write(USAGE);
  process.exit(values.help ? 0 : 2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

let passed = 0;
let failed = 0;
const results: unknown[] = [];
const lines: string[] = [];
for (const row of rows) {
  const obstacle = row.findObstacle?.();
  if (obstacle !== undefined) {
    say(`\n${row.id}  ${row.title}\n  cannot run here: ${obstacle}\n`);
    results.push({ id: row.id, obstacle });
    continue;
  }
  const amount = amountOf(row);
  say(`\n${row.id}  ${row.title}\n  seed ${seed}, ${amount} ${row.unit}\n`);
  const from = performance.now();
  const report = await runRow(row, amount);
  const seconds = Math.round((performance.now() - from) / 1_000);
  const faults = report.checks.filter((check) => check.failure !== undefined);
  passed += report.checks.length - faults.length;
  failed += faults.length;
  results.push({ id: row.id, seed, amount, seconds, ...report });
  lines.push(toTableRow(row, amount, seconds, report));
  say(toText(report, seconds));
}
say(`\n${passed} passed, ${failed} failed\n`);
if (values.json) process.stdout.write(`${JSON.stringify({ passed, failed, rows: results })}\n`);
if (values.docs) writeFigures(lines);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function amountOf(row: Row): number {
  const given = Number(amounts[row.unit]);
  if (Number.isSafeInteger(given) && given > 0) return given;
  return values.quick ? row.quick : row.full;
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

function toTableRow(row: Row, amount: number, seconds: number, report: RowReport): string {
  const failed = report.checks.filter((check) => check.failure !== undefined).length;
  const figures = Object.entries(report.numbers)
    .filter(([name]) => FIGURES_OF_DOCS.has(name))
    .map(([name, value]) => `${name} ${value}`);
  return `| ${row.id} | ${amount} ${row.unit}, seed ${seed} | ${report.checks.length - failed} passed, ${failed} failed | ${figures.join('; ')} | ${seconds} s |`;
}

function writeFigures(rows: readonly string[]): void {
  const path = new URL('../../docs/reliability.md', import.meta.url);
  const marks = /(<!-- figures -->\n)[\s\S]*?(<!-- \/figures -->)/;
  const head = '| row | run | rules | counted | took |\n|---|---|---|---|---|\n';
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(
      marks,
      (_all, open, close) => `${open}${head}${rows.join('\n')}\n${close}`,
    ),
  );
}

function say(text: string): void {
  if (!values.json) process.stdout.write(text);
}
