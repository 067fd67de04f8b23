import { setTimeout as sleep } from 'node:timers/promises';
import { SITE, type TortureServer } from './torture-server.ts';

/** The results of queries. */
export type AskedFigures = {
  answered: number;
  /** 503: the warehouse is down. */
  refused: number;
  /** Any other status, or a broken connection. */
  others: number;
  readonly latenciesMs: number[];
};

/** Sends a dashboard's query ten times a second until stopped. */
export function askUntilStopped(
  server: Pick<TortureServer, 'url' | 'key'>,
  pauseMs = 100,
): { readonly figures: AskedFigures; end(): Promise<AskedFigures> } {
  const figures: AskedFigures = { answered: 0, refused: 0, others: 0, latenciesMs: [] };
  let ending = false;
  const asking = (async () => {
    while (!ending) {
      const from = performance.now();
      const status = await ask(server);
      if (status === 200) {
        figures.answered += 1;
        figures.latenciesMs.push(performance.now() - from);
      } else if (status === 503) figures.refused += 1;
      else figures.others += 1;
      await sleep(pauseMs);
    }
  })();
  return {
    figures,
    async end() {
      ending = true;
      await asking;
      return figures;
    },
  };
}

/** The status of one query; 0 without an answer. */
export async function ask({ url, key }: Pick<TortureServer, 'url' | 'key'>): Promise<number> {
  try {
    const answer = await fetch(`${url}/api/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        site_id: SITE,
        metrics: ['visitors', 'pageviews', 'revenue'],
        date_range: '7d',
        dimensions: ['visit:source'],
      }),
      signal: AbortSignal.timeout(30_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
