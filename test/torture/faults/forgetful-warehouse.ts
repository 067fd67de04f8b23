import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { Chance } from '#cli/demo/chance.ts';
import { ENGINE } from '../../server/program.ts';

/** An engine whose answers to inserts are sometimes lost, after it has executed them. */
export interface ForgetfulWarehouse {
  /** For `CLICKHOUSE_URL`. */
  readonly url: string;
  /** Inserts received, and those with a lost answer. */
  readonly figures: { inserts: number; lost: number };
  /** From now on every answer arrives. */
  remember(): void;
  stop(): Promise<void>;
}

/** How it loses answers; without tokens the engine cannot detect a retry: the control. */
export type ForgetfulOptions = {
  readonly dataDir: string;
  readonly chance: Chance;
  /** Maximum number of lost answers per insert. */
  readonly timesMax: number;
  readonly withoutTokens: boolean;
};

/** Starts an engine below `dataDir`, behind a proxy that loses answers. */
export async function startForgetfulWarehouse(
  options: ForgetfulOptions,
): Promise<ForgetfulWarehouse> {
  const { dataDir, chance, timesMax, withoutTokens } = options;
  const socketPath = join(dataDir, 'run', 'warehouse.sock');
  const engine = fork(ENGINE, [join(dataDir, 'warehouse'), socketPath]);
  await once(engine, 'message');
  const figures = { inserts: 0, lost: 0 };
  let remembers = false;
  /** Number of answers to the current insert still to be lost. */
  let toLose = chance.whole(1, timesMax);

  const proxy = createServer(async (asked, answered) => {
    const url = new URL(asked.url ?? '/', 'http://engine');
    const isInsert = url.searchParams.get('query')?.includes('INSERT INTO') ?? false;
    if (withoutTokens && isInsert) {
      url.searchParams.delete('insert_deduplication_token');
      url.searchParams.set('deduplicate_insert', 'disable'); // Else its content identifies a block.
    }
    const answer = await forward(asked, socketPath, `${url.pathname}${url.search}`);
    if (isInsert && answer.status === 200) {
      figures.inserts += 1;
      if (toLose > 0 && !remembers) {
        toLose -= 1;
        figures.lost += 1;
        asked.socket.destroy();
        return;
      }
      toLose = chance.whole(0, timesMax);
    }
    answered.writeHead(answer.status, answer.headers);
    answered.end(answer.body);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/tributary`,
    figures,
    remember: () => {
      remembers = true;
    },
    async stop() {
      proxy.close();
      proxy.closeAllConnections();
      engine.kill('SIGTERM');
      if (engine.exitCode === null) await once(engine, 'exit');
    },
  };
}

type Forwarded = { readonly status: number; readonly headers: Headers; readonly body: Buffer };
type Headers = Record<string, string>;

async function forward(asked: IncomingMessage, socketPath: string, path: string) {
  const body: Buffer[] = [];
  for await (const chunk of asked) body.push(chunk as Buffer);
  return new Promise<Forwarded>((resolve, reject) => {
    const { host: _, 'transfer-encoding': __, ...headers } = asked.headers;
    const sent = request({ socketPath, method: asked.method, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const summary = response.headers['x-clickhouse-summary'];
      const reported = response.headers['x-clickhouse-exception-code'];
      resolve({
        status: response.statusCode ?? 500,
        headers: {
          ...(typeof summary === 'string' ? { 'x-clickhouse-summary': summary } : {}),
          ...(typeof reported === 'string' ? { 'x-clickhouse-exception-code': reported } : {}),
        },
        body: Buffer.concat(chunks),
      });
    });
    sent.on('error', reject);
    sent.end(Buffer.concat(body));
  });
}
