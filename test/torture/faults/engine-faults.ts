import { execFileSync } from 'node:child_process';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '#cli/demo/chance.ts';
import type { TortureServer } from '../torture-server.ts';

const FAULTS = [
  ...(['SIGKILL', 'SIGSTOP', 'SIGSEGV', 'SIGABRT', 'SIGTERM'] as const),
  ...(['out of memory', 'broken part'] as const),
] as const;

/** The faults of the engine's process. */
export type Fault = (typeof FAULTS)[number];

const PATIENCE_MS = 40_000;
/** Memory it may use above its current usage, before the kernel refuses more. */
const MEMORY_LEFT_BYTES = 300_000_000;
/** Needs 16 GB, and has no limit of its own. */
const HUNGRY = 'SELECT length(groupArray(number)) FROM numbers(2000000000)';

/** Each fault once, in order, then random ones; a stopped engine takes long, so it is rare. */
export function planFault(chance: Chance, number: number): Fault {
  const first = FAULTS[number];
  if (first !== undefined) return first;
  return chance.pick<Fault>([
    [6, 'SIGKILL'],
    [1, 'SIGSTOP'],
    [2, 'SIGSEGV'],
    [2, 'SIGABRT'],
    [2, 'SIGTERM'],
    [2, 'out of memory'],
    [1, 'broken part'],
  ]);
}

/** Resolves with the milliseconds from the fault until both stores answered again. */
export async function endureFault(server: TortureServer, fault: Fault): Promise<number> {
  if (fault === 'broken part') await breakPart(server);
  const from = performance.now();
  if (fault === 'out of memory') await exhaust(server);
  else await endEngine(server, fault === 'broken part' ? 'SIGKILL' : fault);
  await server.untilReady(PATIENCE_MS);
  return performance.now() - from;
}

async function endEngine(server: TortureServer, signal: NodeJS.Signals): Promise<void> {
  const from = performance.now();
  const pid = server.findPid('engine');
  server.signal('engine', signal);
  while (pid !== undefined && server.findPid('engine') === pid) {
    if (performance.now() - from > PATIENCE_MS) throw new Error(`${signal} did not end the engine`);
    await sleep(10);
  }
}

/** The kernel refuses memory during a statement. The engine refuses it too, or crashes. */
async function exhaust(server: TortureServer): Promise<void> {
  const pid = server.findPid('engine');
  if (pid === undefined) return;
  const sizeKb = /^VmSize:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const mayHave = Number(sizeKb) * 1_024 + MEMORY_LEFT_BYTES;
  limitMemory(pid, `${mayHave}:unlimited`);
  await server.ask(HUNGRY).catch(() => {});
  if (server.findPid('engine') === pid) limitMemory(pid, 'unlimited');
}

function limitMemory(pid: number, limit: string): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--as=${limit}`]);
}

/** Truncates what the engine reads first from a part on startup. */
async function breakPart(server: TortureServer): Promise<void> {
  const [row] = await server.ask(
    `SELECT path FROM system.parts WHERE active AND table = 'events' AND database = currentDatabase()
     ORDER BY rows DESC LIMIT 1`,
  );
  if (row?.[0] === undefined) return;
  try {
    truncateSync(join(row[0], 'checksums.txt'), 20);
  } catch {
    // It has been merged into another part, so this is an ordinary kill.
  }
}
