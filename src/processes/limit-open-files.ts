import { readFileSync } from 'node:fs';
import type { Settings } from '#settings.ts';

/** Descriptors that a web process needs for files, the warehouse and other processes. */
const OTHER_FILES = 200;
const CONNECTIONS_MIN = 50;

/**
 * The maximum number of connections: the setting, or what the open file limit leaves.
 *
 * Why: beyond that limit, no connection can be answered, and none to the warehouse can be made.
 */
export function limitConnectionsMax(
  { connectionsMax }: Pick<Settings, 'connectionsMax'>,
  openFilesMax = readOpenFilesMax(),
): number {
  const left = Math.max(CONNECTIONS_MIN, openFilesMax - OTHER_FILES);
  return Math.min(connectionsMax, left);
}

/** This process's open file limit, if known. */
function readOpenFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
