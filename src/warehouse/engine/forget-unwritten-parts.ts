import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AskEngine } from './check-new-parts.ts';

/**
 * Deletes lines from the engine's deduplication logs whose rows are not in its tables. Returns their number.
 *
 * Run it before the engine opens `dataPath`, never while the engine runs.
 *
 * - Why: the engine logs an insert's token just before it moves the new part into place. If it is killed in between,
 *   it has the token without the rows. A retry of the insert then succeeds but inserts nothing. Without the line,
 *   the retry inserts the rows.
 * - Shape: a line is `1`, the part's name and the token, separated by tabs. A part's name consists of its partition,
 *   its first and last insert, and its level. A merged part spans the inserts of its sources, so a line has no rows
 *   if no part spans its insert.
 * - Source: observed with strace on ClickHouse 26.7; MergeTreeSink and MergeTreeDeduplicationLog in its source.
 */
export function forgetUnwrittenParts(dataPath: string): number {
  const tables = foldersIn(join(dataPath, 'store')).flatMap(foldersIn);
  return tables.flatMap(logsOf).reduce((forgotten, log) => {
    const { kept, unwritten } = readLog(log, readdirSync(dirname(dirname(log))));
    if (unwritten > 0) replaceFile(log, kept.join('\n'));
    return forgotten + unwritten;
  }, 0);
}

/** Lists tables with their active parts: a table's folder and the names of its parts, separated by tabs. */
const ACTIVE_PARTS = `SELECT tables.data_paths[1], parts.names
  FROM system.tables
  LEFT JOIN (
    SELECT database, table, arrayStringConcat(groupArray(name), '\\t') AS names
    FROM system.parts WHERE active GROUP BY database, table
  ) AS parts ON parts.database = tables.database AND parts.table = tables.name
  WHERE tables.engine LIKE '%MergeTree'
  FORMAT TabSeparatedRaw`;

/**
 * Whether a running engine has logged a token without rows, because an insert failed in between. An insert in flight
 * may look like that for a moment. Throws if it cannot be determined.
 *
 * Why `ask`: a part that failed after it was moved into place is in its folder, but in no table.
 */
export async function hasUnwrittenParts(ask: AskEngine): Promise<boolean> {
  const tables = (await ask(ACTIVE_PARTS)).split('\n').filter((line) => line !== '');
  return tables.some((line) => {
    const [folder = '', ...parts] = line.split('\t');
    return logsOf(folder).some((log) => readLog(log, parts).unwritten > 0);
  });
}

/** The subfolders of a folder; none if it does not exist. Throws if it cannot be read. */
function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

function logsOf(table: string): string[] {
  const folder = join(table, 'deduplication_logs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^deduplication_log_.*\.txt$/.test(name))
    .map((name) => join(folder, name));
}

function readLog(log: string, parts: readonly string[]) {
  const spans = parts.flatMap((name) => toSpan(name) ?? []);
  const lines = readFileSync(log, 'utf8').split('\n');
  const kept = lines.filter((line) => !isUnwritten(line, spans));
  return { kept, unwritten: lines.length - kept.length };
}

/** The range of inserts in a part. */
type Span = { readonly partition: string; readonly first: number; readonly last: number };

const ADDED = /^1\t([^\t]+)\t/;
const PART = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/;

function toSpan(part: string): Span | undefined {
  const [, partition, first, last] = PART.exec(part) ?? [];
  if (partition === undefined) return undefined;
  return { partition, first: Number(first), last: Number(last) };
}

/** Whether no part has the insert of a line. Lines of another form are left alone. */
function isUnwritten(line: string, spans: readonly Span[]): boolean {
  const added = toSpan(ADDED.exec(line)?.[1] ?? '');
  if (added === undefined) return false;
  return !spans.some(
    (span) =>
      span.partition === added.partition && span.first <= added.first && span.last >= added.last,
  );
}

/** Replaces a file atomically, even in a power cut. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.fresh`;
  writeFileSync(fresh, text, { flush: true });
  renameSync(fresh, path);
}
