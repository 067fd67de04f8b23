import { joinByComma, searchOf } from './address-text.ts';
import type { Insight } from './insights.ts';

/** The dashboard's page with the figures of an insight, below its site: where a page's visits ended, what was paid back. */
export function toInsightPath({ kind, query }: Pick<Insight, 'kind' | 'query'>): string {
  const [from, to] = query.date_range;
  const [metric = 'visitors'] = query.metrics;
  const isPaidBack = kind === 'refunds' || kind === 'disputes';
  const params = new URLSearchParams({ period: 'custom', from, to });
  if (metric !== 'visitors') params.set('metric', metric); // What the chart draws anyway.
  for (const filter of query.filters) {
    const texts = filter.flat().map((by) => (by === 'visit:exit_page' ? 'event:page' : `${by}`));
    params.append('f', joinByComma(texts));
  }
  if (kind === 'exits') params.set('tab', 'exit,visitors');
  if (isPaidBack) params.set('state', 'refunded');
  return `${isPaidBack ? '/payments' : ''}${searchOf(params)}`;
}
