import { type FoundRecord, readRecord, UNCLOSED } from './read-record.ts';

/** A record of a CSV file, with the number of its first line, or what is wrong with it. */
export type CsvRecord = {
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault?: string;
};

/** A longer record is refused. Nobody's payment has a megabyte. */
const RECORD_MAX = 1_000_000;

const TOO_LONG = 'is longer than a megabyte';
const SEPARATORS = [',', ';', '\t', '|'];

/**
 * Reads the records of a CSV file (RFC 4180) of any size: those of a chunk at a time, without empty lines.
 *
 * - The separator is the one that the first line has most of, or the one that Excel's `sep=;` names.
 * - Why written here: a wrong record costs its own line only. The parsers that we know drop what follows it.
 */
export async function* readRecords(
  texts: AsyncIterable<string>,
): AsyncGenerator<readonly CsvRecord[]> {
  const reader = createRecordReader();
  for await (const text of texts) yield reader.read(text);
  yield reader.end();
}

/** What was read, up to where, and how many lines that is. */
type Step = { readonly end: number; readonly lines: number; readonly record?: FoundRecord };

function createRecordReader() {
  let rest = '';
  let line = 1;
  let separator: string | undefined;
  let isSkipping = false; // The rest of a line that was too long.

  function readNext(at: number, isLast: boolean): Step | undefined {
    const lineEnd = rest.indexOf('\n', at);
    const next = lineEnd < 0 ? rest.length : lineEnd + 1;
    if (isSkipping || next - at > RECORD_MAX) return skip(lineEnd);
    if (lineEnd < 0 && !isLast) return undefined;
    if (separator === undefined) return chooseSeparator(at, next);
    const record = readRecord(rest, { at, next, separator, isLast });
    if (record !== undefined) return toStep(at, next, record);
    if (rest.length - at <= RECORD_MAX) return undefined;
    return toStep(at, next, { cells: [], end: next, fault: UNCLOSED });
  }

  /** Leaves out a line that is too long, up to where it ends or is read so far. */
  function skip(lineEnd: number): Step {
    const record = { cells: [], end: 0, fault: TOO_LONG };
    const step = isSkipping ? {} : { record };
    isSkipping = lineEnd < 0;
    return lineEnd < 0
      ? { end: rest.length, lines: 0, ...step }
      : { end: lineEnd + 1, lines: 1, ...step };
  }

  function chooseSeparator(at: number, next: number): Step {
    const first = rest.slice(at, next);
    const named = /^sep=(.)\s*$/.exec(first)?.[1];
    separator = named ?? findSeparator(first);
    return named === undefined ? { end: at, lines: 0 } : { end: next, lines: 1 };
  }

  function toStep(at: number, next: number, record: FoundRecord): Step {
    const { end } = record;
    const lines = end === next ? 1 : rest.slice(at, end).split('\n').length - 1;
    return { end, lines, record };
  }

  /** Takes the records that are complete, and leaves the rest. */
  function take(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let at = 0;
    while (at < rest.length) {
      const step = readNext(at, isLast);
      if (step === undefined) break;
      if (step.record !== undefined && !isEmpty(step.record)) {
        const { cells, fault } = step.record;
        records.push(fault === undefined ? { line, cells } : { line, cells, fault });
      }
      line += step.lines;
      at = step.end;
    }
    rest = rest.slice(at);
    return records;
  }

  return {
    read(text: string): CsvRecord[] {
      rest += text;
      return take(false);
    },
    end: () => take(true),
  };
}

function isEmpty({ cells, fault }: FoundRecord): boolean {
  return fault === undefined && cells.length === 1 && cells[0]?.trim() === '';
}

function findSeparator(line: string): string {
  const plain = line.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => plain.split(separator).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}
