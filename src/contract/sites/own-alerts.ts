import Type, { type Static } from 'typebox';
import type { Fault } from '../fault.ts';
import { optional } from '../optional.ts';
import { NAME_PATTERN } from '../patterns.ts';
import { NameOf, QUERY_FIELDS, Strict } from '../query-fields.ts';
import { MAY_HAVE, NEEDED_BY_KIND, OWN_ALERT_KINDS } from './alert-kinds.ts';

/** How many alerts of its own a site may have. */
export const OWN_ALERTS_MAX = 20;

/** An alert that a site's admins have put into words. */
export const OwnAlert = Strict(
  {
    when: Type.Enum(OWN_ALERT_KINDS, {
      description:
        '`below`, `above`: the `metric` of yesterday is below or above `value`. `changed`: it differs from the same weekday of the week before by more than `percent`. `goal`, `payment`: the `goal`, or a payment of at least `amount`, as it happens; further ones within 15 minutes are counted in one message. `no_goal`, `no_payment`: none for `hours`.',
    }),
    ...optional({
      metric: NameOf(['metric'], 'A metric, such as `revenue`.'),
      value: Type.Number({ description: 'Money in the site’s currency; of a rate, percent.' }),
      percent: Type.Number({ minimum: 1, maximum: 10_000 }),
      goal: Type.String({ pattern: NAME_PATTERN }),
      amount: Type.Number({
        ...{ minimum: 0, maximum: 1_000_000_000_000 },
        description: 'In the site’s currency.',
      }),
      hours: Type.Integer({ minimum: 1, maximum: 31 * 24 }),
    }),
    filters: QUERY_FIELDS.filters,
  },
  'OwnAlert',
);
export type OwnAlert = Static<typeof OwnAlert>;

/** What an alert lacks, and what it has in vain. Paths begin with that of the alert. */
export function findOwnAlertFaults(alert: OwnAlert, path: string): Fault[] {
  const { when, ...given } = alert;
  const needed: readonly string[] = NEEDED_BY_KIND[when];
  const known = [...needed, ...(MAY_HAVE[when] ?? [])];
  const missing = needed.filter((name) => !(name in given));
  const vain = Object.keys(given).filter((name) => !known.includes(name));
  return [
    ...missing.map((name) => ({ path: `${path}/${name}`, message: `is required for ${when}` })),
    ...vain.map((name) => ({ path: `${path}/${name}`, message: `does not belong to ${when}` })),
  ];
}
