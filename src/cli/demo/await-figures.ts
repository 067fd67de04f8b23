import { setTimeout as pause } from 'node:timers/promises';
import { DEMO_DOMAIN } from '#contract/demo.ts';
import type { Query, QueryAnswer } from '#contract/query.ts';
import type { Destination } from './send-stories.ts';

/** What queries of the demo find in all. */
export type Figures = { readonly pageviews: number; readonly payments: number };

const PAUSE_MS = 250;
/** The data is safe by then: a busy server only shows it later. */
const PATIENCE_MS = 60_000;

const QUERY: Query = {
  site_id: DEMO_DOMAIN,
  metrics: ['pageviews', 'payments'],
  date_range: 'all',
};

/** Waits until queries find all that was acknowledged, so that nobody opens a dashboard with half of it. */
export async function awaitFigures(expected: Figures, from: Destination): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await pause(PAUSE_MS)) {
    const found = await find(from);
    if (found?.[0] === expected.pageviews && found[1] === expected.payments) return;
  }
}

async function find({ url, key }: Destination): Promise<readonly unknown[] | undefined> {
  const response = await fetch(new URL('/api/v1/query', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(QUERY),
  }).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  const { results } = (await response.json()) as QueryAnswer;
  return results[0]?.metrics;
}
