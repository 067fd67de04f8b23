import { Session } from 'chdb';
import { EMBEDDED_DATABASE } from '../client/embedded-database.ts';
import { shareEngineMemory } from '../client/engine-memory.ts';
import { STATEMENT_MAX_BYTES } from '../client/query-limits.ts';

/**
 * Opens a session of the embedded engine in this process, on the data in `dataPath`. The engine starts with the first
 * session and ends with the last. Statements of one session run sequentially. The first session sets the memory limit
 * of all. Default: nearly all of the machine's memory.
 */
export async function openEngine(dataPath: string, memoryBytes?: number): Promise<Session> {
  const connectionArgs = [...ENGINE_ARGUMENTS, ...toMemoryArguments(memoryBytes)];
  const session = new Session(dataPath, { connectionArgs });
  endOnCrash();
  await session.queryAsync(`CREATE DATABASE IF NOT EXISTS ${EMBEDDED_DATABASE}`);
  await session.queryAsync(`USE ${EMBEDDED_DATABASE}`);
  return session;
}

function toMemoryArguments(memoryBytes: number | undefined): string[] {
  if (memoryBytes === undefined) return [];
  return [`--max_server_memory_usage=${shareEngineMemory(memoryBytes).statementsBytes}`];
}

const CRASH_SIGNALS = [
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGABRT',
  'SIGTRAP',
  'SIGSYS',
] as const;

/**
 * Restores the default action of crash signals, so that a crash ends the process immediately.
 *
 * Why: the engine's handlers swallow these signals. The process then hangs or spins, and a spinning process looks like
 * a busy one. Node restores the default action when the last listener is removed.
 */
function endOnCrash(): void {
  for (const signal of CRASH_SIGNALS) process.on(signal, ignore).off(signal, ignore);
}

function ignore(): void {}

/** Small pools and caches and slow timers: sized for a small machine, not for a shared server. */
const ENGINE_ARGUMENTS = [
  '--mark_cache_size=67108864',
  '--uncompressed_cache_size=0',
  `--max_query_size=${STATEMENT_MAX_BYTES}`,
  '--background_pool_size=2',
  '--background_schedule_pool_size=2',
  '--background_move_pool_size=1',
  '--background_fetches_pool_size=1',
  '--background_common_pool_size=1',
  '--background_buffer_flush_schedule_pool_size=1',
  '--background_message_broker_schedule_pool_size=1',
  '--background_distributed_schedule_pool_size=1',
  // Nothing depends on this timer. Mutations wait for the other pool's in each partition: it keeps its default.
  '--background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do=600',
  '--memory_worker_period_ms=1000', // Default: 50.
];
