import Type, { type Static } from 'typebox';
import { MONEY_META, Money } from './query.ts';
import { ANSWERED_FIELDS, QUERY_FIELDS } from './query-fields.ts';
import { By, STEP_TEXT_LENGTH_MAX, Step, Within } from './step.ts';
import { Text } from './text.ts';

/** How deep and how wide journeys are listed, and how many branches that may come to. */
export const JOURNEYS_MAX = { depth: 8, breadth: 20, branches: 10_000, folds: 20 } as const;

/** A query for journeys, as it is posted to `/api/v1/query/journeys`. */
export const Journeys = Type.Object(
  {
    ...QUERY_FIELDS,
    from: Type.Optional(Step),
    to: Type.Optional(Step),
    within: Type.Optional(Within),
    by: Type.Optional(By),
    depth: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: JOURNEYS_MAX.depth,
        description: 'How many steps are told.',
      }),
    ),
    breadth: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: JOURNEYS_MAX.breadth,
        description: 'How many of the ways that lead on from each step are told, the most common.',
      }),
    ),
    fold: Type.Optional(
      Type.Array(Text({ minLength: 1, maxLength: STEP_TEXT_LENGTH_MAX }), {
        maxItems: JOURNEYS_MAX.folds,
        uniqueItems: true,
        description:
          'Patterns of paths: pages that one of them stands for are told by the pattern, as one.',
        examples: [['/blog/**']],
      }),
    ),
  },
  { additionalProperties: false },
);
export type Journeys = Static<typeof Journeys>;

/** The answer to {@link Journeys}. */
export const JourneysAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      path: Type.Array(Step, {
        description:
          'What was done, outward from `from` (what came next first) or from `to` (what came last before it ' +
          'first), which itself is left out: the first row, of all, has none.',
      }),
      reached: Type.Integer({ description: 'How many took this way so far.' }),
      share: Type.Union([Type.Number(), Type.Null()], { description: 'Of all, in percent.' }),
      ended: Type.Integer({ description: 'How many of them did nothing further in the window.' }),
      other: Type.Integer({ description: 'How many went on by ways that are not told.' }),
      revenue: Type.Object(Money.properties, {
        description:
          'What they paid from `from` or `to` on within the window, less what was paid back of it since.',
      }),
    }),
  ),
  meta: Type.Object(MONEY_META),
  query: Type.Object(
    {
      ...ANSWERED_FIELDS,
      from: Type.Optional(Step),
      to: Type.Optional(Step),
      within: Within,
      by: By,
      depth: Type.Integer(),
      breadth: Type.Integer(),
      fold: Type.Array(Type.String()),
    },
    { description: 'The question as it was understood.' },
  ),
});
export type JourneysAnswer = Static<typeof JourneysAnswer>;
