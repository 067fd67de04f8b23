import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { STALLS_TOLD_TO } from './stall-watch.ts';

/**
 * Loaded into the server by T10 (`NODE_OPTIONS=--import`), never by the server itself: reports each stall of the web
 * process's event loop, in milliseconds used by the process itself.
 *
 * Why without the time waiting for a processor: on two shared cores any thread may stall, and the rest is what an
 * input causes.
 */
const LOOK_EVERY_MS = 5;
const TOLD_FROM_MS = 10;
const READ_WITHIN_MS = 1;

const path = process.env[STALLS_TOLD_TO];
const isWeb = /processes\/web\.[jt]s$/.test(process.argv[1] ?? '');
if (isWeb && isMainThread && path !== undefined) tellStalls(path);

function tellStalls(to: string): void {
  let last = readClocks();
  setInterval(() => {
    const now = readClocks();
    const ownMs = now.at - last.at - LOOK_EVERY_MS - (now.waitedMs - last.waitedMs);
    if (ownMs > TOLD_FROM_MS) appendFileSync(to, `${ownMs.toFixed(1)}\n`);
    last = now;
  }, LOOK_EVERY_MS).unref();
}

/** The time, and how long the thread had waited by then; read again if it waits in between. */
function readClocks(): { readonly at: number; readonly waitedMs: number } {
  for (;;) {
    const before = readWaitedMs();
    const at = performance.now();
    const waitedMs = readWaitedMs();
    if (waitedMs - before < READ_WITHIN_MS) return { at, waitedMs };
  }
}

/** How long this thread has been ready but not running since it started. */
function readWaitedMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
}
