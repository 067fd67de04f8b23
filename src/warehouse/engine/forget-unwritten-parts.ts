import {
  closeSync,
  fsyncSync,
  globSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Takes out of the engine's deduplication logs what is not in its tables; answers how many lines.
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
  return listLogs(dataPath).reduce((forgotten, log) => {
    const { kept, unwritten } = readLog(log);
    if (unwritten > 0) replaceFile(log, kept.join('\n'));
    return forgotten + unwritten;
  }, 0);
}

/**
 * Whether the logs of a running engine know a token whose rows are in no part: an insert has failed
 * between the two. An insert under way may look so for a moment.
 */
export function hasUnwrittenParts(dataPath: string): boolean {
  return listLogs(dataPath).some((log) => readLog(log).unwritten > 0);
}

function listLogs(dataPath: string): string[] {
  return globSync(`${dataPath}/store/*/*/deduplication_logs/deduplication_log_*.txt`);
}

function readLog(log: string): { readonly kept: string[]; readonly unwritten: number } {
  const spans = readdirSync(dirname(dirname(log))).flatMap((name) => toSpan(name) ?? []);
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
