import type { ReportStatement } from './ports.ts';

/** Some sites' worth: what is asked of each takes tens of kilobytes. */
const STATEMENTS_MAX = 256;
/** The engine may take out by and by what it was told to, which no mark tells. */
const KNOWN_FOR_MS = 10_000;

/** Rows of a statement as they were found when the mark was the same; else what `ask` finds. */
export type Recall = <Row>(
  statement: ReportStatement,
  mark: string | undefined,
  ask: () => Promise<Row[]>,
) => Promise<readonly Row[]>;

/**
 * Recalls rows as long as the warehouse's mark (ports.ts) is the same; always asks where there is none.
 *
 * Why: what a question must know of a site before it is asked, every question must; and a dashboard asks a dozen.
 */
export function createRecall(): Recall {
  const known = new Map<string, Promise<unknown[]>>();
  let [knownMark, knownSince] = ['', 0];
  return async <Row>(
    { sql, params }: ReportStatement,
    mark: string | undefined,
    ask: () => Promise<Row[]>,
  ) => {
    if (mark === undefined) return ask();
    const now = performance.now();
    if (mark !== knownMark || now - knownSince > KNOWN_FOR_MS || known.size >= STATEMENTS_MAX) {
      known.clear();
      [knownMark, knownSince] = [mark, now];
    }
    const key = JSON.stringify([sql, params]);
    const before = known.get(key);
    if (before !== undefined) return (await before) as Row[];
    const rows = ask();
    known.set(key, rows);
    rows.catch(() => known.get(key) === rows && known.delete(key));
    return rows;
  };
}
