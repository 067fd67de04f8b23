/** The cells of a record, and where the next one begins; or what is wrong with it. */
export type FoundRecord = {
  readonly cells: readonly string[];
  readonly end: number;
  readonly fault?: string;
};

/** Where a record is in a text that may go on. */
type RecordPlace = {
  readonly at: number;
  /** Where its first line ends. After a fault, reading goes on there. */
  readonly next: number;
  readonly separator: string;
  /** Whether the text ends here. */
  readonly isLast: boolean;
};

/** The fault of a record whose end was never found. */
export const UNCLOSED = 'has a quote that never ends';
const AFTER_QUOTE = 'has text after a closing quote';

/** Reads one record. Undefined if its end is not there yet. */
export function readRecord(text: string, place: RecordPlace): FoundRecord | undefined {
  const { at, next, separator } = place;
  const line = text.slice(at, next);
  if (line.includes('"')) return readQuoted(text, place);
  return { cells: line.replace(/\r?\n$/, '').split(separator), end: next };
}

function readQuoted(text: string, place: RecordPlace): FoundRecord | undefined {
  const { at, next, separator, isLast } = place;
  const cells: string[] = [];
  const cell = cellOf(separator);
  cell.lastIndex = at;
  for (let from = at; ; from = cell.lastIndex) {
    const found = cell.exec(text);
    if (found === null) {
      const fault = findFault(text, from, isLast);
      return fault === undefined ? undefined : { cells: [], end: next, fault };
    }
    const [, quoted, plain = '', after] = found;
    if (after === '' && !isLast) return undefined;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (after !== separator) return { cells, end: cell.lastIndex };
  }
}

/** What is wrong with a quoted cell; undefined if it may go on. */
function findFault(text: string, from: number, isLast: boolean): string | undefined {
  CLOSED.lastIndex = from;
  const isClosed = CLOSED.test(text);
  if (!isClosed) return isLast ? UNCLOSED : undefined;
  const isCrAtEnd = text.slice(CLOSED.lastIndex, CLOSED.lastIndex + 2) === '\r';
  return isCrAtEnd && !isLast ? undefined : AFTER_QUOTE;
}

const QUOTED = '"([^"]*(?:""[^"]*)*)"';
const CLOSED = new RegExp(`${QUOTED}(?!")`, 'y');

const cells = new Map<string, RegExp>();

/** A quoted or a plain cell with what ends it. */
function cellOf(separator: string): RegExp {
  const end = `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return cells.getOrInsertComputed(
    separator,
    () => new RegExp(`(?:${QUOTED}|((?!")[^${end}\\n]*?))(${end}|\\r?\\n|$)`, 'y'),
  );
}
