import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCli, type TestServer } from '../test/server/start-server.ts';

/** What the load generator (load.ts) sends. */
export type Load = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly durationMs: number;
  readonly kind: keyof typeof PATHS;
  readonly visitors: number;
  /** Makes a round's transactions differ from those of earlier rounds. */
  readonly round: number;
  /** Requests per second over all connections; if undefined, as fast as answers arrive. */
  readonly perSecond?: number;
  /** Ends after this many. Default: after its time. */
  readonly requestsMax?: number;
  /** Signs each request of the kind `webhooks`. */
  readonly secret?: string;
};

/** The outcome. */
export type LoadResult = {
  readonly requests: number;
  readonly failures: number;
  readonly durationMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
};

/** Events per request of the kind `batches`. */
export const BATCH_EVENTS = 100;

const SITE = 'bench.example';
const PATHS = {
  pageviews: '/api/v1/events',
  goals: '/api/v1/goals',
  payments: '/api/v1/payments',
  batches: '/api/v1/events',
  webhooks: '/webhooks/',
} as const;
const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** A load of one kind for a server with the bench's site; pageviews from browsers need no key. */
export function loadOf(
  kind: Load['kind'],
  to: { readonly port: number; readonly key: string },
  plan: Pick<Load, 'connections' | 'durationMs' | 'visitors' | 'round' | 'perSecond'>,
): Load {
  return {
    ...plan,
    port: to.port,
    kind,
    path: PATHS[kind],
    headers: {
      ...(kind !== 'pageviews' && { authorization: `Bearer ${to.key}` }),
      'content-type': 'application/json',
      'user-agent': BROWSER,
    },
  };
}

/** Adds the bench's site to a running server. Resolves when the server knows it. */
export async function prepareSite(
  server: TestServer,
): Promise<{ readonly port: number; readonly key: string }> {
  await runCli(['site', 'add', SITE], server.dataDir);
  const { key } = await runCli<{ key: string }>(['key', 'create', '--site', SITE], server.dataDir);
  await sleep(1_500); // The running server learns of a new site within a second.
  return { port: Number(new URL(server.url).port), key };
}

/** A load generator, ready for loads. */
export function startLoadProcess(): ChildProcess {
  return fork(fileURLToPath(new URL('./load.ts', import.meta.url)));
}

/** Ends the load that is running. */
export function stopLoad(child: ChildProcess): void {
  child.send('stop');
}

/** Resolves when the generator has sent this load, after the previous one. */
export async function runLoad(child: ChildProcess, load: Load): Promise<LoadResult> {
  const answer = once(child, 'message');
  child.send(load);
  const [result] = await answer;
  return result as LoadResult;
}
