import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import { DEMO_DOMAIN } from '#domain/site/demo.ts';
import { waitUntil } from '#jobs/wait.ts';
import type { Destination } from './send-stories.ts';

/** What queries of the demo find in all. */
type Figures = { readonly pageviews: number; readonly payments: number };

/** The data is safe by then: a busy server only shows it later. */
const PATIENCE = { everyMs: 250, maxMs: 60_000 };

const QUERY: SentQuery = {
  site_id: DEMO_DOMAIN,
  metrics: ['pageviews', 'payments'],
  date_range: 'all',
};

/** Waits until queries find all that was acknowledged, so that nobody opens a dashboard with half of it. */
export async function awaitFigures(expected: Figures, from: Destination): Promise<void> {
  await waitUntil(async () => {
    const found = await find(from);
    return found?.[0] === expected.pageviews && found[1] === expected.payments;
  }, PATIENCE);
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
