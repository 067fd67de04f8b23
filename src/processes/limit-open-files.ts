import { readFileSync } from 'node:fs';
import type { Settings } from '#settings.ts';

/** Files, sockets of the warehouse and of the other processes that a web process opens beside its connections. */
const OTHER_FILES = 200;
const CONNECTIONS_MIN = 50;

/**
 * As many connections as the setting says, or as the limit of open files leaves.
 *
 * Why: beyond that limit no connection is answered, and none to the warehouse can be made.
 */
export function limitConnectionsMax(
  { connectionsMax }: Pick<Settings, 'connectionsMax'>,
  openFilesMax = readOpenFilesMax(),
): number {
  const left = Math.max(CONNECTIONS_MIN, openFilesMax - OTHER_FILES);
  return Math.min(connectionsMax, left);
}

/** What the kernel allows this process, where it says so. */
function readOpenFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
