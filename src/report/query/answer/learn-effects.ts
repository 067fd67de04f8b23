import { VISIT } from '#contract/rows/visit-row.ts';
import { removalEffects, type Transition } from '#domain/attribution/removal-effects.ts';
import { channelSql } from '../../channel-sql.ts';
import type { Bind } from '../../dimension.ts';
import type { ReportStatement, ReportWarehouse } from '../../ports.ts';
import type { FactPlan, Layer, Plan } from '../plan/plan.ts';
import { creditAtSql, withPathsSql } from '../sql/attribution/paths.ts';
import { IS_SOMEBODY, joinPayers, joinPersons, payerNumber, personNumber } from '../sql/persons.ts';
import {
  all,
  byPeople,
  createBindings,
  visitRowsSql,
  visitsOfPeople,
  within,
} from '../sql/rows.ts';

/**
 * The plan with the removal effects of its period, if `data_driven` credits a fact; else unchanged.
 *
 * Why in a separate statement: credit then needs only a handful of numbers, and the warehouse's SQL contains no
 * matrices.
 */
export async function learnEffects(warehouse: ReportWarehouse, plan: Plan): Promise<Plan> {
  const learn = async (layer: Layer): Promise<Layer> => ({
    ...layer,
    facts: await Promise.all(layer.facts.map((fact) => learnEffectsOf(warehouse, fact))),
  });
  const [rows, wholes] = await Promise.all([learn(plan.rows), Promise.all(plan.wholes.map(learn))]);
  return { ...plan, rows, wholes };
}

/** The same for one fact. */
export async function learnEffectsOf(
  warehouse: Pick<ReportWarehouse, 'select'>,
  plan: FactPlan,
): Promise<FactPlan> {
  const { credit } = plan;
  if (credit.to !== 'path' || !credit.models.includes('data_driven')) return plan;
  const steps = await Promise.all(
    toStepsStatements(plan).map((statement) => warehouse.select<Transition>(statement)),
  );
  const effects = removalEffects(steps.flat());
  return { ...plan, credit: { ...credit, effects } };
}

/**
 * The statements that count the steps of the chain that `data_driven` learns from: the paths in the period, of people
 * who bought (or reached a goal), and of those who did not.
 *
 * - Shape: each payment above 0 that is not a renewal has its path, as for credit; each person without a payment in
 *   the period has one, of their visits that began in it. The plan's filter is ignored: it selects from what is
 *   credited.
 * - Why two: together, the paths of millions of people do not fit into a query's memory.
 */
function toStepsStatements(plan: FactPlan): readonly ReportStatement[] {
  return [boughtSql, leftSql].map((toPaths) => {
    const { bind, params } = createBindings();
    return { sql: stepsSql(toPaths(plan, bind)), params };
  });
}

/** SQL for the steps of paths: rows with `channels`, `has_bought` and the number `n` of such paths. */
function stepsSql(paths: string): string {
  return `
    SELECT step.1 AS of, step.2 AS \`from\`, step.3 AS \`to\`, step.4 AS isBought,
      toFloat64(sum(n)) AS count
    FROM (
      SELECT n, arrayJoin(arrayConcat([('start', '', channels[1], false)],
        arrayMap((origin, target) -> ('step', origin, target, false),
          arrayPopBack(channels), arrayPopFront(channels)),
        [('end', channels[-1], '', has_bought)])) AS step
      FROM (${paths})
    )
    GROUP BY step`;
}

/** SQL for the paths of people who did. */
function boughtSql(plan: FactPlan, bind: Bind): string {
  const { rows } = successesOf(plan, bind);
  const paths = withPathsSql({ rows, persons: rows }, plan, bind, {
    columns: { channel: channelSql(plan.site, bind) },
  });
  return `
    SELECT arrayMap(touch -> touch.2, touch_path) AS channels, true AS has_bought, count() AS n
    FROM (${paths}) WHERE notEmpty(touch_path) GROUP BY channels`;
}

/** SQL for the facts whose paths end well, and for everyone with such an end, with or without a path. */
function successesOf(plan: FactPlan, bind: Bind) {
  if (plan.of === 'payments') {
    const everybody = `
    SELECT ${payerNumber(plan)} AS person_number, ${creditAtSql(plan, bind)} AS credit_at
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)} AND kind = 'payment' AND amount_minor > 0`;
    return { rows: `${everybody} AND renewal = 0`, everybody };
  }
  const rows = `
    SELECT ${personNumber(plan)} AS person_number, toUnixTimestamp64Milli(occurred_at) AS credit_at
    FROM events ${joinPersons(plan, bind)}
    WHERE ${all(within('occurred_at', plan, bind), byPeople(plan), "type = 'goal'")}`;
  return { rows, everybody: rows };
}

/** Leaves room for a channel's number after a touch's time, in one number. */
const CHANNELS_MAX = 4_096;

/**
 * SQL for the paths of people who did not: the channels of their visits in the period, one per millisecond, and the
 * number of people with each path.
 *
 * Why numbers: millions of visits are sorted, and this makes a touch a single number. Why 64 bits for each person: as
 * `distinctVisitors` in metric.ts.
 */
function leftSql(scope: FactPlan, bind: Bind): string {
  const { everybody } = successesOf(scope, bind);
  const channel = channelSql(scope.site, bind);
  const visits = visitRowsSql(scope, bind, {
    columns: `visitor, ${VISIT.touchedAt} AS touch_at, ${channel} AS channel`,
    where: all(visitsOfPeople(scope), IS_SOMEBODY),
    period: scope.period,
    hasTouches: true,
  });
  const names = `(SELECT arraySort(groupUniqArray(channel)) FROM (${visits}))`;
  // Faster than indexOf, which compares one text after the other.
  const number = `transform(channel, ${names}, arrayEnumerate(${names}), toUInt32(0))`;
  const instants = `arrayMap(touch -> intDiv(touch, ${CHANNELS_MAX}), touches)`;
  return `
    SELECT arrayMap(number -> ${names}[number], numbers) AS channels, false AS has_bought, count() AS n
    FROM (
      SELECT arrayMap(touch -> toUInt16(touch % ${CHANNELS_MAX}), arrayFilter(
        (touch, at, before) -> at != before, touches, ${instants},
        arrayPushFront(arrayPopBack(${instants}), 0))) AS numbers
      FROM (
        SELECT arraySort(groupArray(
          toUInt64(touch_at) * ${CHANNELS_MAX} + ${number})) AS touches
        FROM (${visits}) AS visit ${joinPersons(scope, bind)}
        WHERE ${personNumber(scope)} NOT IN (
          SELECT person_number FROM (${everybody}))
        GROUP BY ${personNumber(scope)}
      )
    )
    GROUP BY numbers`;
}
