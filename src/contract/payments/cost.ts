import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { FOREIGN_ID_PATTERN } from '../patterns.ts';
import { Text } from '../text.ts';
import { AMOUNT_MAX } from './payment.ts';

/** The most costs of one request. */
const COSTS_MAX = 500;

const Tag = (description: string, minLength = 0) =>
  Text({ minLength, maxLength: 255, pattern: FOREIGN_ID_PATTERN, description });

/** What was spent on a campaign on one day. */
export const CostFields = Type.Object(
  {
    date: Type.String({
      maxLength: 10,
      description: 'The day on which it was spent, in the site’s time zone.',
      examples: ['2026-11-20'],
    }),
    source: {
      ...Tag('What the links have as `utm_source`, or the source’s name in reports.', 1),
      examples: ['google'],
    },
    amount: Type.Number({
      minimum: 0,
      maximum: AMOUNT_MAX,
      description:
        'Amount in units of the currency, read exactly from its decimal text. Extra decimals are rounded half up.',
      examples: [120.5],
    }),
    currency: Type.String({
      minLength: 3,
      maxLength: 3,
      description: 'ISO 4217 code, in any case.',
      examples: ['EUR'],
    }),
    ...optional({
      medium: { ...Tag('What the links have as `utm_medium`.'), examples: ['cpc'] },
      campaign: { ...Tag('What the links have as `utm_campaign`.'), examples: ['autumn'] },
    }),
  },
  { title: 'Cost', description: 'Optional fields that are `null` or empty count as absent.' },
);
export type CostFields = Static<typeof CostFields>;

/** Costs that a backend reports to `POST /api/v1/costs`. */
export const CostsRequest = Type.Object({
  costs: Type.Array(CostFields, {
    minItems: 1,
    maxItems: COSTS_MAX,
    description:
      'Each replaces the cost with the same date, source, medium and campaign. A request must not have two for the same four.',
  }),
  ...optional({
    whole_days: Type.Boolean({
      default: false,
      description:
        'These are all costs of their days and sources: others of the same day and source are removed.',
    }),
  }),
});
export type CostsRequest = Static<typeof CostsRequest>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** What came of costs. */
export const CostCounts = {
  added: Count('Costs that are new.'),
  replaced: Count('Costs that replaced others.'),
  unchanged: Count('Costs that were already recorded unchanged.'),
  removed: Count('Costs that were removed, as the rest of their days and sources.'),
  kept: Count('Other costs of the same days and sources, which are kept.'),
};

/** The answer to recorded costs. */
export const CostsAnswer = Type.Object(
  { message: Type.String(), ...CostCounts },
  { description: 'The costs are recorded.' },
);
export type CostsAnswer = Static<typeof CostsAnswer>;
