import type { SentQuery } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';

/** A query without its site and period, which all panels of a dashboard share. */
export type Panel = Omit<SentQuery, 'site_id' | 'date_range'>;

const by = (dimension: string, limit = 10): Panel => ({
  metrics: ['visitors', 'revenue'],
  dimensions: [dimension],
  pagination: { limit },
});

/** The twelve panels of a newly opened dashboard. */
export const PANELS: Readonly<Record<string, Panel>> = {
  headline: {
    metrics: [
      ...['revenue', 'visitors', 'revenue_per_visitor', 'conversion_rate', 'customers'],
      ...['bounce_rate', 'visit_duration'],
    ],
    include: { compare: 'previous_period' },
  },
  chart: by('time:day', 1_000),
  channels: by('visit:channel'),
  sources: by('visit:source'),
  campaigns: by('visit:campaign'),
  pages: by('event:page'),
  'entry pages': by('visit:entry_page'),
  countries: by('visit:country'),
  goals: by('event:goal'),
  devices: by('visit:device'),
  browsers: by('visit:browser'),
  'heat map': by('time:hour', 1_000),
};

/** A dashboard's filters: none, one dimension, two dimensions. */
export const FILTER_SETS: Readonly<Record<string, NonNullable<SentQuery['filters']>>> = {
  'no filter': [],
  'one filter': [['is', 'visit:country', ['DE']]],
  'two filters': [
    ['is', 'visit:source', ['Google']],
    ['is', 'visit:device', ['mobile']],
  ],
};

/** Revenue by source, credited by each model. */
export const ATTRIBUTION: Readonly<Record<string, Panel>> = Object.fromEntries(
  ATTRIBUTION_MODELS.map((model) => [
    model,
    {
      metrics: ['revenue', 'payments'],
      dimensions: ['visit:source'],
      attribution: { model },
    },
  ]),
);
