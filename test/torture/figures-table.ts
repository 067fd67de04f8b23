import { readFileSync, writeFileSync } from 'node:fs';
import type { Row, RowReport } from './row.ts';

/** The results of one run of a row. */
export type RowRun = {
  readonly row: Row;
  readonly seed: number;
  readonly amount: number;
  readonly seconds: number;
  readonly report: RowReport;
};

/** A row's numbers shown in the tables. */
const SHOWN = new Set([
  'events acknowledged',
  'lost',
  'doubled',
  'payments acknowledged',
  'journals damaged',
  'batches lost and reported',
  'batches lost in silence',
  'warehouses damaged',
  'warehouses rebuilt',
  'power cuts',
  'archives damaged',
  'archive damage reported',
  'hostile sockets',
  'worlds',
  'answers compared',
  'slowest recovery, ms',
  'slowest return of the engine, ms',
  'slowest resumption, ms',
  'slowest start after a full disk, ms',
  'replays',
  'answers lost',
  'calls that failed',
  'accepted',
  'refused',
  'longest stall of the event loop, ms',
  'p99 beside them, ms',
  'p99, ms',
  'query p95, ms',
  'rules broken, as they must be',
]);

const HEAD = '| row | what is done | run | rules | counted |\n|---|---|---|---|---|\n';
const MARKS = /(<!-- reliability -->\n)([\s\S]*?)(<!-- \/reliability -->)/;

/** Writes the runs into docs/reliability.md's table; rows that did not run keep their line. */
export function writeTable(runs: readonly RowRun[], order: readonly Row[]): void {
  const path = new URL('../../docs/reliability.md', import.meta.url);
  const text = readFileSync(path, 'utf8');
  const lines = new Map(
    [...(MARKS.exec(text)?.[2] ?? '').matchAll(/^\| (\w+) \|.*$/gm)].map((match) => [
      match[1] ?? '',
      match[0],
    ]),
  );
  for (const run of runs) lines.set(run.row.id, toLine(run));
  const table = order.flatMap((row) => lines.get(row.id) ?? []).join('\n');
  writeFileSync(
    path,
    text.replace(MARKS, (_all, open, _old, close) => `${open}${HEAD}${table}\n${close}`),
  );
}

function toLine({ row, seed, amount, seconds, report }: RowRun): string {
  const failed = report.checks.filter((check) => check.failure !== undefined).length;
  const figures = Object.entries(report.numbers)
    .filter(([name]) => SHOWN.has(name))
    .map(([name, value]) => `${name} ${format(value)}`);
  const rules = `${report.checks.length - failed} passed, ${failed} failed`;
  const run = `${format(amount)} ${row.unit}, seed ${seed}, ${seconds} s`;
  return `| ${row.id} | ${row.title} | ${run} | ${rules} | ${figures.join('; ')} |`;
}

function format(value: number | string): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
