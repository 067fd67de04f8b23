import Type, { type Static } from 'typebox';

/** How often somebody gets a summary by mail. */
export const SUMMARY_RHYTHMS = ['off', 'weekly', 'monthly'] as const;
/** One of {@link SUMMARY_RHYTHMS}. */
export type SummaryRhythm = (typeof SUMMARY_RHYTHMS)[number];

/** What a site can raise an alert about. */
export const ALERT_KINDS = ['traffic', 'revenue', 'no_traffic', 'dropped_events'] as const;
/** One of {@link ALERT_KINDS}. */
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What somebody gets of a site by mail. */
export const Subscription = Type.Object(
  {
    summary: Type.Enum([...SUMMARY_RHYTHMS], { description: 'A summary of each week or month.' }),
    alerts: Type.Boolean({ description: 'Whether the site’s alerts come by mail, too.' }),
  },
  { additionalProperties: false },
);
export type Subscription = Static<typeof Subscription>;

/** What a site raises alerts about, and where they go besides the mails. */
export const AlertRules = Type.Object(
  {
    kinds: Type.Array(Type.Enum([...ALERT_KINDS]), {
      uniqueItems: true,
      description:
        '`traffic` and `revenue` of a day far from the same weekday of the weeks before, `no_traffic` for three hours that always had some, `dropped_events` by the hundred.',
    }),
    webhook_url: Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()], {
      description: 'Each alert is posted there as JSON.',
    }),
  },
  { additionalProperties: false },
);
export type AlertRules = Static<typeof AlertRules>;

/** What is sent of a site, to somebody and in all. */
export const Notices = Type.Object(
  {
    mail: Type.Boolean({ description: 'Whether this server sends mails.' }),
    email: Type.String({ description: 'Where their mails go.' }),
    subscription: Subscription,
    alerts: AlertRules,
    open: Type.Array(Type.Object({ kind: Type.Enum([...ALERT_KINDS]), since: Type.String() }), {
      description: 'Alerts that are not over.',
    }),
  },
  { description: 'What is sent of the site.' },
);
export type Notices = Static<typeof Notices>;
