import { Session } from 'chdb';
import { EMBEDDED_DATABASE } from '../client.ts';
import { shareEngineMemory } from '../engine-memory.ts';

/**
 * A session of the embedded engine in this process, on the data in `dataPath`: the engine starts with
 * the first and ends with the last. Statements of one session run one after the other. What all of them
 * may take of memory is as the first one says; when left out, nearly all of the machine's.
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
 * Gives crash signals back to the kernel, which ends the process at once.
 *
 * Why: the engine's own handlers swallow them; the process then hangs or spins, and a spinning process
 * looks like a busy one. Node resets a signal to the kernel's default when its last listener is removed.
 */
function endOnCrash(): void {
  for (const signal of CRASH_SIGNALS) process.on(signal, ignore).off(signal, ignore);
}

function ignore(): void {}

/** Small pools and caches, slow clocks: one site's analytics on a small machine, no server for many. */
const ENGINE_ARGUMENTS = [
  '--mark_cache_size=67108864',
  '--uncompressed_cache_size=0',
  '--max_query_size=8388608', // Bound values are part of the text, and come in a URL of half that.
  '--background_pool_size=2',
  '--background_schedule_pool_size=2',
  '--background_move_pool_size=1',
  '--background_fetches_pool_size=1',
  '--background_common_pool_size=1',
  '--background_buffer_flush_schedule_pool_size=1',
  '--background_message_broker_schedule_pool_size=1',
  '--background_distributed_schedule_pool_size=1',
  // Nothing waits for these clocks: what is inserted wakes the merges, and mutations wake themselves.
  '--background_processing_pool_thread_sleep_seconds_if_nothing_to_do=5', // Its own: 0.1.
  '--background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do=600',
  '--memory_worker_period_ms=1000', // Its own: 50.
];
