import Type, { type Static } from 'typebox';
import { DROP_REASONS } from '#domain/visit/dropped-events.ts';
import { OptionalText } from '../text.ts';

/** How far back days are counted. */
export const DROP_DAYS_MAX = 90;

/** The parameters of a list of dropped events. */
export const DropsParams = Type.Object({
  days: OptionalText(`The last 1 to ${DROP_DAYS_MAX} days; 7 by default.`),
  from: OptionalText(
    'The first day or instant, as in a query’s `date_range`, instead of `days`. Days are in the site’s time zone.',
  ),
  to: OptionalText('With `from`: the last day, or the instant to stop before.'),
  reason: OptionalText('Only events dropped for this reason.'),
});
export type DropsParams = Static<typeof DropsParams>;

const Reason = Type.Enum(DROP_REASONS);
const Hour = Type.String({ format: 'date-time', description: 'The start of the hour.' });

/** Dropped events, and samples of them. */
export const DropsAnswer = Type.Object(
  {
    results: Type.Array(Type.Object({ hour: Hour, reason: Reason, count: Type.Integer() })),
    samples: Type.Array(
      Type.Object({
        hour: Hour,
        reason: Reason,
        type: Type.String(),
        host: Type.String({
          description:
            'The registrable domain of the page, and its port; `*.` replaces subdomains.',
        }),
        path: Type.String({ description: 'The path of the page; `*` replaces each segment.' }),
      }),
      { description: 'The latest dropped events, at most 20 for each reason.' },
    ),
  },
  { description: 'Dropped events by hour (UTC), with a delay of a few seconds.' },
);
export type DropsAnswer = Static<typeof DropsAnswer>;
