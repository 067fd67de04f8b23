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
  const logs = globSync(`${dataPath}/store/*/*/deduplication_logs/deduplication_log_*.txt`);
  return logs.reduce((forgotten, log) => forgotten + forgetIn(log), 0);
}

function forgetIn(log: string): number {
  const spans = readdirSync(dirname(dirname(log))).flatMap((name) => toSpan(name) ?? []);
  const lines = readFileSync(log, 'utf8').split('\n');
  const kept = lines.filter((line) => !isUnwritten(line, spans));
  const forgotten = lines.length - kept.length;
  if (forgotten > 0) replaceFile(log, kept.join('\n'));
  return forgotten;
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
