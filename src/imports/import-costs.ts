import type { CostFileAnswer, CostImportsAnswer } from '#contract/sites/costs.ts';
import type { Cost, CostChange, CostImport, CostOutcome } from '#domain/money/cost.ts';
import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import { type CostContext, createParseCost, type ParseCost } from '#ingest/costs/parse-costs.ts';
import { UnreadableFile } from './csv/decode-text.ts';
import {
  assertOnce,
  type CellFault,
  type Row,
  readHeader,
  readRows,
  toColumnName,
} from './csv/read-table.ts';
import { findIgnored } from './formats/find-format.ts';
import { readAmount } from './formats/read-cells.ts';
import { FAULTS_LISTED, type LineFault } from './tally.ts';

const REQUIRED = ['date', 'source', 'amount', 'currency'] as const;
const OPTIONAL = ['medium', 'campaign'] as const;

/** More lines are more than one transaction should write. */
const LINES_MAX = 100_000;

/** A file of costs that was read. */
type Counted = 'lines' | 'wrong_lines' | 'faults' | 'rounded_lines' | 'ignored_columns';
type CostFile = Pick<CostFileAnswer, Counted> & {
  readonly costs: readonly Cost[];
};

/**
 * Reads a CSV file of costs.
 *
 * - Throws UnreadableFile if it is none, or has too many lines.
 */
export async function readCostFile(
  openBytes: () => AsyncIterable<Uint8Array>,
  context: CostContext,
): Promise<CostFile> {
  const columns = await readHeader(openBytes());
  assertColumns(columns);
  const parse = createParseCost(context);
  const costs: Cost[] = [];
  const faults: LineFault[] = [];
  const wrong = new Set<number>();
  let [lines, rounded_lines] = [0, 0];
  for await (const rows of readRows(openBytes(), columns)) {
    for (const { line, row, fault } of rows) {
      lines += 1;
      const read = fault === undefined ? readCost(row, parse, `line ${line}`) : [fault];
      if (!Array.isArray(read)) {
        costs.push(read.cost);
        rounded_lines += Number('roundedTo' in read);
      } else {
        wrong.add(line);
        faults.push(...read.map((each) => ({ line, ...each })));
      }
    }
    if (lines > LINES_MAX) {
      throw new UnreadableFile(`The file has more than ${LINES_MAX} lines: divide it by days.`);
    }
  }
  if (lines === 0) throw new UnreadableFile('The file has a header and no lines.');
  const ignored = findIgnored({ required: [REQUIRED], optional: OPTIONAL }, columns);
  const listed = faults.slice(0, FAULTS_LISTED);
  const counts = { lines, wrong_lines: wrong.size, rounded_lines };
  return { costs, ...counts, faults: listed, ignored_columns: ignored };
}

function assertColumns(columns: readonly string[]): void {
  assertOnce(columns, [...REQUIRED, ...OPTIONAL]);
  const given = new Set(columns.map(toColumnName));
  const missing = REQUIRED.filter((name) => !given.has(name));
  if (missing.length === 0) return;
  throw new UnreadableFile(
    `The file lacks ${missing.join(', ')}. Its columns are ${columns.join(', ')}; a file of costs has date, source, medium, campaign, amount, currency.`,
  );
}

/** A cost, or what is wrong with its line. */
function readCost(row: Row, parse: ParseCost, place: string) {
  const ofAmount: CellFault[] = [];
  const amountText = readAmount(row, ['amount', row('currency')], ofAmount);
  const texts = Object.fromEntries([...REQUIRED, ...OPTIONAL].map((name) => [name, row(name)]));
  const sent = { fields: { ...texts, amount: Number(amountText) }, amountText };
  const parsed = parse(sent, place);
  if (parsed.ok && ofAmount.length === 0) return parsed.value;
  const others = parsed.ok ? [] : parsed.error;
  return [...ofAmount, ...others.map(({ path, message }) => ({ column: path.slice(1), message }))];
}

/** Records the costs of a file, unless a line is wrong or nothing is there. */
export async function importCosts(
  file: CostFile & { readonly name: string },
  record: (costs: readonly Cost[], change: CostChange) => Promise<CostOutcome>,
  { isWhole, isTrial }: { readonly isWhole: boolean; readonly isTrial: boolean },
): Promise<CostFileAnswer> {
  const { costs, name, ...read } = file;
  const isRecorded = !isTrial && read.wrong_lines === 0 && costs.length > 0;
  const change = { isWhole, isTrial: !isRecorded, file: name };
  const { importId, ...counts } = await record(costs, change);
  const days = costs.map(({ day }) => day).toSorted();
  const [first_day, last_day] = [days[0], days.at(-1)];
  return {
    ...(importId !== undefined && { id: importId }),
    ...{ file: name, ...read, ...counts, sums: toSums(costs) },
    ...(first_day !== undefined && { first_day }),
    ...(last_day !== undefined && { last_day }),
  };
}

/** Imports as people see them. */
export function toCostImports(imports: readonly CostImport[]): CostImportsAnswer {
  return {
    imports: imports.map(({ id, file, importedAt, costs, firstDay, lastDay, sums }) => ({
      ...{ id, file, costs, sums: toSums(sums) },
      ...(importedAt > 0 && { imported_at: new Date(importedAt).toISOString() }),
      ...(firstDay !== undefined && { first_day: firstDay }),
      ...(lastDay !== undefined && { last_day: lastDay }),
    })),
  };
}

function toSums(costs: readonly Pick<Cost, 'amountMinor' | 'currency'>[]) {
  const sums = new Map<string, bigint>();
  for (const { currency, amountMinor } of costs) {
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
  }
  return [...sums].toSorted().map(([code, minor]) => {
    const currency = findCurrency(code) ?? { code, exponent: 0 };
    return { value: formatAmount(minor, currency), currency: code };
  });
}
