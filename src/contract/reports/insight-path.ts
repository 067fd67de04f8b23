import type { Insight } from './insights.ts';

/** The dashboard's page with the figures of an insight, below its site: the overview, or the payments that were paid back. */
export function toInsightPath({ kind, query }: Pick<Insight, 'kind' | 'query'>): string {
  const [from, to] = query.date_range;
  const [metric = 'visitors'] = query.metrics;
  const isPaidBack = kind === 'refunds' || kind === 'disputes';
  const params = new URLSearchParams({ period: 'custom', from, to });
  if (metric !== 'visitors') params.set('metric', metric); // What the chart draws anyway.
  for (const filter of query.filters) {
    const parts = filter.flat().map((part) => `${part}`.replace(/[\\,]/g, '\\$&'));
    params.append('f', parts.join());
  }
  if (isPaidBack) params.set('state', 'refunded');
  // People read addresses: what needs no escape has none.
  const search = `${params}`.replace(/%(3A|2C|2F)/g, (code) => decodeURIComponent(code));
  return `${isPaidBack ? '/payments' : ''}?${search}`;
}
