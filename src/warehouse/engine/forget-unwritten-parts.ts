import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { AskEngine } from './check-new-parts.ts';

/**
 * Takes out of the engine's deduplication logs what is not in its tables; returns how many lines.
 *
 * Run it before the engine opens `dataPath`, never while it runs.
 *
 * - Why: the engine writes an insert's token into the log a moment before it moves the new part to
 *   its place. Killed in between, it knows the token and lacks the rows, and answers the repeated
 *   insert with success and nothing inserted. Without the line the repetition inserts.
 * - Shape: a line is `1`, the part's name and the token, with tabs between; a part's name is its
 *   partition, the first and the last of its inserts, and its level. Merged parts span what they
 *   were made of, so that a line whose insert no part spans has no rows.
 * - Source: seen with strace on ClickHouse 26.7; MergeTreeSink and MergeTreeDeduplicationLog there.
 */
export function forgetUnwrittenParts(dataPath: string): number {
  const tables = foldersIn(join(dataPath, 'store')).flatMap(foldersIn);
  return tables.flatMap(logsOf).reduce((forgotten, log) => {
    const { kept, unwritten } = readLog(log, readdirSync(dirname(dirname(log))));
    if (unwritten > 0) replaceFile(log, kept.join('\n'));
    return forgotten + unwritten;
  }, 0);
}

/** Tables and their active parts: lines of a table's folder and its parts' names, with tabs between. */
const ACTIVE_PARTS = `SELECT tables.data_paths[1], parts.names
  FROM system.tables
  LEFT JOIN (
    SELECT database, table, arrayStringConcat(groupArray(name), '\\t') AS names
    FROM system.parts WHERE active GROUP BY database, table
  ) AS parts ON parts.database = tables.database AND parts.table = tables.name
  WHERE tables.engine LIKE '%MergeTree'
  FORMAT TabSeparatedRaw`;

/**
 * Whether the logs of a running engine know a token whose rows it has in no part: an insert has failed
 * between the two. An insert under way may look so for a moment. Throws when it cannot be known.
 *
 * Why `ask`: a part that was moved to its place and then failed is in its folder, and in no table.
 */
export async function hasUnwrittenParts(ask: AskEngine): Promise<boolean> {
  const tables = (await ask(ACTIVE_PARTS)).split('\n').filter((line) => line !== '');
  return tables.some((line) => {
    const [folder = '', ...parts] = line.split('\t');
    return logsOf(folder).some((log) => readLog(log, parts).unwritten > 0);
  });
}

/** A folder that cannot be read throws; one that is missing has none. */
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

/** The inserts that a part holds. */
type Span = { readonly partition: string; readonly first: number; readonly last: number };

const ADDED = /^1\t([^\t]+)\t/;
const PART = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/;

function toSpan(part: string): Span | undefined {
  const [, partition, first, last] = PART.exec(part) ?? [];
  if (partition === undefined) return undefined;
  return { partition, first: Number(first), last: Number(last) };
}

/** Lines of another form are the engine's own business. */
function isUnwritten(line: string, spans: readonly Span[]): boolean {
  const added = toSpan(ADDED.exec(line)?.[1] ?? '');
  if (added === undefined) return false;
  return !spans.some(
    (span) =>
      span.partition === added.partition && span.first <= added.first && span.last >= added.last,
  );
}

/** All of the new text or all of the old, whenever the power goes. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.fresh`;
  const file = openSync(fresh, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(fresh, path);
}
