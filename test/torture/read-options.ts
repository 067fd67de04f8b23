import { parseArgs } from 'node:util';
import { ok, type Result, refuse } from '#domain/result.ts';
import { toUsageFault, toWhole } from '../run/usage-fault.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';

/** The options of a torture run. */
export type TortureOptions = {
  readonly rows: readonly Row[];
  readonly seed: number;
  /** Reports rules that need a quiet machine without failing on them. */
  readonly busy: boolean;
  /** The number of rows that run at the same time. */
  readonly atOnce: number;
  readonly writeDocs: boolean;
  readonly json: boolean;
  readonly help: boolean;
  /** The amount, in the row's unit. */
  amountOf(row: Row): number;
};

/** The options, or one line that says what is wrong. */
export function readOptions(args: readonly string[]): Result<TortureOptions, string> {
  try {
    return ok(toOptions(parse(args)));
  } catch (error) {
    return refuse(error instanceof WrongUsage ? error.message : toUsageFault(error));
  }
}

class WrongUsage extends Error {}

function parse(args: readonly string[]) {
  const sizes = Object.fromEntries(ROWS.map(({ unit }) => [unit, { type: 'string' }] as const));
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      row: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
      busy: { type: 'boolean', default: false },
      'at-once': { type: 'string', default: '1' },
      'write-docs': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      ...sizes,
    },
  });
  return values;
}

function toOptions(values: ReturnType<typeof parse>): TortureOptions {
  const { quick, json, help } = values;
  const atOnce = readWhole('at-once', values['at-once'], 1, ROWS.length);
  const unknown = values.row?.find((id) => !ROWS.some((row) => row.id === id));
  if (unknown !== undefined) throw new WrongUsage(`there is no row ${unknown}`);
  const rows = ROWS.filter(({ id }) => values.row === undefined || values.row.includes(id));
  const amounts = readAmounts(values as Readonly<Record<string, unknown>>, rows);
  return {
    ...{ rows, atOnce, busy: values.busy || atOnce > 1, json, help },
    writeDocs: values['write-docs'],
    seed: readWhole('seed', values.seed),
    amountOf: (row) => amounts.get(row.unit) ?? (quick ? row.quick : row.full),
  };
}

function readAmounts(
  values: Readonly<Record<string, unknown>>,
  rows: readonly Row[],
): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const { unit } of ROWS) {
    const text = values[unit];
    if (text === undefined) continue;
    if (!rows.some((row) => row.unit === unit)) {
      throw new WrongUsage(`--${unit} is the size of no row that is to run`);
    }
    amounts.set(unit, readWhole(unit, String(text), 1));
  }
  return amounts;
}

function readWhole(option: string, text: string, min?: number, max?: number): number {
  const number = toWhole(text, min, max);
  if (number !== undefined) return number;
  const upTo = max === undefined ? 'on' : `to ${max}`;
  const range = min === undefined ? '' : ` from ${min} ${upTo}`;
  throw new WrongUsage(`--${option} takes a whole number${range}, not ${text}`);
}
