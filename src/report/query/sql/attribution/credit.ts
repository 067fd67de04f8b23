import { NO_VISIT, VISIT } from '#contract/rows/visit-row.ts';
import { LATE_TOUCH_MAX_MS } from '#domain/attribution/touch-times.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { channelSql } from '../../../channel-sql.ts';
import { type Bind, valueSql } from '../../../dimension.ts';
import { WHOLE_CREDIT } from '../../../metric.ts';
import type { Credit, FactPlan } from '../../plan/plan.ts';
import { firstVisitsSql } from '../first-visit.ts';
import { columns, valueColumns } from '../rows.ts';
import { type Facts, withPathsSql } from './paths.ts';
import { TOUCH, tellsDirect, weightsSql } from './weights.ts';

/** Facts with amounts to split: their names without `_minor`, as in converted.ts. */
type CreditedFacts = Facts & {
  readonly amounts: readonly string[];
  /** SQL for rows of {@link firstTouchesSql}, if the statement has them. */
  readonly firstTouches?: string | undefined;
};

/** SQL for whether a visit has no source, over a row of `visits`. */
export const IS_DIRECT = [VISIT.source, VISIT.medium, VISIT.campaign, VISIT.click_id]
  .map((value) => `${value} = ''`)
  .join(' AND ');

/**
 * SQL for facts with the touches that get credit for them: one row per touch with a share, with `credited_visit`,
 * `credited_at` (milliseconds), `v0, v1, …` and `credit` (of {@link WHOLE_CREDIT}) beside the fact's own columns.
 *
 * - Shape: a fact without a touch keeps its row, as `Unattributed`, so that rows sum to the whole. A person's touches
 *   are those of all their visitors. Facts that are not credited to visits only get `credit`. With several
 *   models, each has its own rows, and its number, from 1, in `credit_model`.
 */
export function creditedSql(facts: CreditedFacts, plan: FactPlan, bind: Bind): string {
  const { credit } = plan;
  switch (credit.to) {
    case 'none':
      return `SELECT *, toInt64(${WHOLE_CREDIT}) AS credit FROM (${facts.rows})`;
    case 'first':
      return toFirstSql(facts, plan, bind);
    case 'path':
      return sharedSql(facts, credit, plan, bind);
  }
}

/**
 * SQL for facts credited to the person's first visit ever. It is always the first touch up to the fact, or else the
 * first within ten minutes after it.
 */
function toFirstSql(facts: CreditedFacts, plan: FactPlan, bind: Bind): string {
  const isTouch = `(first_visit != ${NO_VISIT} AND touch_at <= credit_at + ${LATE_TOUCH_MAX_MS})`;
  const values = columns('v', plan.values.visit).map(
    (name) => `, if(${isTouch}, first.${name}, '${UNATTRIBUTED}') AS ${name}`,
  );
  return `
    SELECT fact.*, toInt64(${WHOLE_CREDIT}) AS credit,
      if(${isTouch}, first_visit, ${NO_VISIT}) AS credited_visit, touch_at AS credited_at${values.join('')}
    FROM (${facts.rows}) AS fact
    LEFT JOIN (${facts.firstTouches ?? firstTouchesSql(facts.persons, plan, bind)}) AS first ON fact.person_number = first_of`;
}

/** SQL for the first visits of the persons in these rows, with the values of the plan's visit dimensions. */
export function firstTouchesSql(persons: string, plan: FactPlan, bind: Bind): string {
  const values = valueColumns('v', plan.values.visit, plan, bind);
  return firstVisitsSql(persons, plan, bind, { of: 'person', values });
}

function sharedSql(
  { amounts, ...facts }: CreditedFacts,
  { models, effects }: Extract<Credit, { to: 'path' }>,
  plan: FactPlan,
  bind: Bind,
): string {
  const number = effects?.size
    ? `indexOf(${bind([...effects.keys()], 'Array(String)')}, ${channelSql(plan.site, bind)})`
    : '0';
  const values = plan.values.visit.map((dimension, index) => [
    `v${index}`,
    valueSql(dimension, plan, bind),
  ]);
  // The order matches TOUCH.
  const paths = withPathsSql(facts, plan, bind, {
    columns: {
      touch_visit: 'visit_id',
      is_direct: `toUInt8(${models.some(tellsDirect) ? IS_DIRECT : 0})`,
      channel_number: `toUInt32(${number})`,
      ...Object.fromEntries(values),
    },
  });
  const nobody = ['toInt64(0)', NO_VISIT, 'toUInt8(1)', 'toUInt32(0)'];
  nobody.push(...values.map(() => `'${UNATTRIBUTED}'`));
  const path = `if(empty(touch_path), [(${nobody.join(', ')})], touch_path) AS touch_path`;
  /** SQL for a touch's columns of its visit. */
  const toVisit = (touch: string) =>
    [
      `${touch}.${TOUCH.visit} AS credited_visit, ${touch}.${TOUCH.at} AS credited_at`,
      ...values.map(([name], index) => `${touch}.${TOUCH.firstValue + index} AS ${name}`),
    ].join(', ');
  const weighed = `
    SELECT * EXCEPT (touch_path), ${path},
      ${byModelsSql(models.map((model) => weightsSql(model, effects, bind)))}
    FROM (${paths})`;
  const helpers = ['within', 'behind', 'touch_path', 'all_weights'];
  if (models.length > 1) helpers.push('of_model');
  return partsSql(weighed, helpers, amounts, toVisit('part.1'));
}

/** SQL for `all_weights`; with several models, a row for each, with its `credit_model`. */
function byModelsSql(weights: readonly string[]): string {
  if (weights.length === 1) return `${weights[0]} AS all_weights`;
  const numbered = weights.map((sql, index) => `(toUInt8(${index + 1}), ${sql})`);
  return `arrayJoin([${numbered.join(', ')}]) AS of_model,
      of_model.1 AS credit_model, of_model.2 AS all_weights`;
}

/**
 * SQL for one row per part of facts with a `touch_path` and `all_weights`. `visit` is SQL for the columns that each
 * takes from its touch; `helpers` are columns to drop.
 */
function partsSql(
  weighed: string,
  helpers: readonly string[],
  amounts: readonly string[],
  visit: string,
): string {
  const names = amounts.map((amount) => `${amount}_minor`);
  const shares = amounts.map((amount) => furtherSharesSql(`${amount}_minor`, `${amount}_before`));
  const own = names.map((name, index) => `part.${index + 3} AS ${name}`);
  return `
    SELECT * EXCEPT (${['part', ...names].join(', ')}), ${['part.2 AS credit', ...own, visit].join(', ')}
    FROM (
      SELECT * EXCEPT (parts), arrayJoin(parts) AS part
      FROM (
        SELECT * EXCEPT (${helpers.join(', ')}),
          arrayFilter((touch, weight) -> weight > 0, touch_path, all_weights) AS credited,
          arrayFilter(weight -> weight > 0, all_weights) AS weights,
          toInt128(arraySum(weights)) AS weight_sum,
          arrayZip(${['credited', `arrayMap(part -> toInt64(part), ${sharesSql(`${WHOLE_CREDIT}`)})`, ...shares].join(', ')}) AS parts
        FROM (${weighed})
      )
    )`;
}

/**
 * SQL that splits an amount in proportion to `weights`, whose sum is `weight_sum`: an array of parts that add up to
 * the amount, as in `splitAmount` of the domain.
 *
 * - Units: 128-bit integers. The amount is not negative.
 */
function sharesSql(amount: string): string {
  const exact = `arrayMap(weight -> toInt128(${amount}) * weight, weights)`;
  const whole = `arrayMap(part -> intDiv(part, weight_sum), ${exact})`;
  const rests = `arrayMap(part -> part % weight_sum, ${exact})`;
  // The places of the parts, the largest remainder first; then each place's rank.
  const places = `arraySort((place, rest) -> (-rest, place), arrayEnumerate(weights), ${rests})`;
  const ranks = `arraySort((rank, place) -> place, arrayEnumerate(weights), ${places})`;
  return `arrayMap(
    (part, rank) -> part + toInt128(rank <= toInt128(${amount}) - arraySum(${whole})), ${whole}, ${ranks})`;
}

/**
 * SQL that splits an amount after `before` has been split: the parts of both together, less the parts of `before`.
 *
 * Why: partial refunds then take from each touch, to the cent, what the payment gave it.
 */
function furtherSharesSql(amount: string, before: string): string {
  return `if(${before} = 0, ${sharesSql(amount)}, arrayMap((after, earlier) -> after - earlier,
    ${sharesSql(`(${before} + ${amount})`)}, ${sharesSql(before)}))`;
}
