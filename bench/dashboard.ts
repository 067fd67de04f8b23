import type { Query } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';

type ToQuery = (days: number, now: number) => Omit<Query, 'site_id'>;

const by =
  (...dimensions: string[]): ToQuery =>
  (days) => ({
    metrics: ['visitors', 'revenue'],
    date_range: `${days}d`,
    dimensions,
    pagination: { limit: 10 },
  });

/** The questions that a dashboard asks as it opens. */
export const DASHBOARD: Readonly<Record<string, ToQuery>> = {
  headline: (days) => ({
    metrics: [
      ...['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'],
      ...['conversions', 'revenue', 'revenue_per_visitor'],
    ],
    date_range: `${days}d`,
    include: { compare: 'previous_period' },
  }),
  days: (days) => ({ ...by('time:day')(days, 0), pagination: { limit: 1_000 } }),
  channels: by('visit:channel'),
  sources: by('visit:source'),
  campaigns: by('visit:campaign'),
  pages: by('event:page'),
  'entry pages': by('visit:entry_page'),
  countries: by('visit:country'),
  browsers: by('visit:browser'),
  devices: by('visit:device'),
  goals: by('event:goal'),
  'on now': (_days, now) => ({
    metrics: ['visitors', 'pageviews'],
    date_range: [new Date(now - 300_000).toISOString(), new Date(now).toISOString()],
  }),
};

/** Revenue by source, credited by each model. */
export const ATTRIBUTION: Readonly<Record<string, ToQuery>> = Object.fromEntries(
  ATTRIBUTION_MODELS.map((model) => [
    model,
    (days: number) => ({
      metrics: ['revenue', 'payments'],
      date_range: `${days}d`,
      dimensions: ['visit:source'],
      attribution: { model },
    }),
  ]),
);
