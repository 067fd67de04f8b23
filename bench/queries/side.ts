import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../test/server/start-server.ts';
import { askEngine } from '../../test/server/warehouse-door.ts';
import { measureProcesses } from '../measure-processes.ts';

/** A checkout's running server on a data directory, with the entry points of every checkout. */
export interface Side {
  readonly url: string;
  /** Posts a body to a path with the bench's key, and retries while the server is busy. Throws unless it gets a 200. */
  post(path: string, body: string): Promise<string>;
  /** The rows of a statement, from the warehouse itself. */
  sql(statement: string): Promise<string[][]>;
  /** Resolves after a while without background work. */
  untilQuiet(): Promise<void>;
  residentMb(): number;
  stop(): Promise<void>;
}

/** A server looks for background work ten seconds after starting. */
const QUIET_MS = 15_000;
const QUIET_MAX_MS = 600_000;
/** Of one core. */
const QUIET_SHARE = 0.15;
const LOOK_EVERY_MS = 1_000;
const SOCKETS = 64;
/** A busy machine may briefly refuse a query. */
const BUSY_RETRY_MS = 200;
const BUSY_MAX_MS = 60_000;

/** Starts this checkout's server. `key` may be empty if nothing is posted. */
export async function startSide(options: {
  readonly checkout: string;
  readonly dataDir: string;
  readonly key: string;
}): Promise<Side> {
  const { checkout, dataDir, key } = options;
  const env = { RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '0', LOG_LEVEL: 'error' };
  const server = await startServer({ checkout, dataDir, env });
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  const postOnce = (path: string, body: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const asked = request(
        new URL(path, server.url),
        { agent, method: 'POST', headers },
        async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else if (response.statusCode === 503) resolve(undefined);
          else reject(new Error(`${path} answered ${response.statusCode}: ${text}`));
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });

  return {
    url: server.url,
    async post(path, body) {
      const endsAt = performance.now() + BUSY_MAX_MS;
      for (;;) {
        const text = await postOnce(path, body);
        if (text !== undefined) return text;
        if (performance.now() > endsAt) throw new Error(`${path} was unavailable for too long`);
        await sleep(BUSY_RETRY_MS);
      }
    },
    sql: (statement) => askEngine(join(dataDir, 'run', 'warehouse.sock'), statement),
    untilQuiet: () => untilQuiet(() => measureProcesses(server.pids()).cpuMs),
    residentMb: () => measureProcesses(server.pids()).residentMb,
    async stop() {
      agent.destroy();
      await server.stop();
    },
  };
}

async function untilQuiet(readCpuMs: () => number): Promise<void> {
  const endsAt = performance.now() + QUIET_MAX_MS;
  let last = { cpuMs: readCpuMs(), at: performance.now() };
  let quietSince = last.at;
  while (last.at - quietSince < QUIET_MS && last.at < endsAt) {
    await sleep(LOOK_EVERY_MS);
    const next = { cpuMs: readCpuMs(), at: performance.now() };
    if (next.cpuMs - last.cpuMs > QUIET_SHARE * (next.at - last.at)) quietSince = next.at;
    last = next;
  }
}
