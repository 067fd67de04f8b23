import { keepCompiled } from '#processes/keep-compiled.ts';
import { type RowRun, writeTable } from './figures-table.ts';
import { readOptions } from './read-options.ts';
import type { Check, Row, RowReport } from './row.ts';
import { ROWS } from './rows.ts';

const USAGE = `usage: npm run torture -- [options]

  --quick     every row in its quick size; the full size otherwise, which takes days
  --row ID    only this row; may be given more than once
  --seed N    the plan; a seed that fails fails again (1)
  --busy      the machine does other things: report the rules of time that it misses,
              and fail for nothing of them
  --at-once N rows that run at the same time (1); from 2 on, the machine is busy with them
  --write-docs  write the figures into docs/reliability.md
  --json      print one JSON value
  --help      this text

Rows, each with the option that sets its size, the quick one and the full one:

${ROWS.map(toHelp).join('')}
A row that cannot run here says what is missing and counts as neither passed nor failed.
`;

const options = readOptions(process.argv.slice(2));
if (!options.ok) {
  process.stderr.write(
    `torture: ${options.error}\nnpm run torture -- --help says what there is.\n`,
  );
  process.exit(2);
}
const { rows, seed, busy, atOnce, json, writeDocs, amountOf, help } = options.value;
if (help) {
  process.stderr.write(USAGE);
  process.exit(0);
}
keepCompiled();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

let passed = 0;
let failed = 0;
const results: unknown[] = [];
const runs: RowRun[] = [];
const waiting = [...rows];
await Promise.all(Array.from({ length: atOnce }, runWaiting));
say(`\n${passed} passed, ${failed} failed\n`);
if (json) process.stdout.write(`${JSON.stringify({ passed, failed, rows: results })}\n`);
if (writeDocs) writeTable(runs, ROWS);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

async function runWaiting(): Promise<void> {
  for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await reportRow(row);
}

async function reportRow(row: Row): Promise<void> {
  const title = `\n${row.id}  ${row.title}\n`;
  const obstacle = row.findObstacle?.();
  if (obstacle !== undefined) {
    say(`${title}  cannot run here: ${obstacle}\n`);
    results.push({ id: row.id, obstacle });
    return;
  }
  const amount = amountOf(row);
  const plan = `${title}  seed ${seed}, ${amount} ${row.unit}\n`;
  if (atOnce === 1) say(plan);
  const from = performance.now();
  const report = await runRow(row, amount);
  const seconds = Math.round((performance.now() - from) / 1_000);
  const faults = report.checks.filter(isFault);
  passed += report.checks.length - faults.length;
  failed += faults.length;
  results.push({ id: row.id, seed, amount, seconds, ...report });
  runs.push({ row, seed, amount, seconds, report });
  say(`${atOnce === 1 ? '' : plan}${toText(report, seconds)}`);
}

function toHelp({ id, title, unit, quick, full }: Row): string {
  const size = `${quick.toLocaleString('en')}, ${full.toLocaleString('en')}`;
  return `  ${id.padEnd(5)} ${`--${unit} N`.padEnd(13)} ${size.padEnd(20)} ${title}\n`;
}

/** A row that throws has one failed check, with the error. */
async function runRow(row: Row, amount: number): Promise<RowReport> {
  const log = (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K  ${row.id}: ${line}`);
  };
  try {
    return await row.run({ seed, amount, log });
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      numbers: {},
      checks: [{ rule: 'the row runs to its end', failure, needsQuiet: false }],
    };
  } finally {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

function isFault({ failure, needsQuiet }: Check): boolean {
  return failure !== undefined && !(needsQuiet && busy);
}

function toText({ numbers, checks }: RowReport, seconds: number): string {
  const figures = Object.entries(numbers).map(([name, value]) => `  ${name}: ${value}\n`);
  const missed = checks
    .filter(({ failure }) => failure !== undefined)
    .map((check) => {
      const verdict = isFault(check) ? 'FAILED' : 'missed, perhaps as the machine is busy:';
      return `  ${verdict} ${check.rule}: ${check.failure}\n`;
    });
  const failed = checks.filter(isFault).length;
  const good = checks.length - failed;
  return `${figures.join('')}${missed.join('')}  ${good} passed, ${failed} failed, in ${seconds} s\n`;
}

function say(text: string): void {
  if (!json) process.stdout.write(text);
}
