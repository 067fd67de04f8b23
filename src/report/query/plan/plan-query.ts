import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Distinct, Metric, Part } from '../../metric.ts';
import { namesBehaviour, withoutEvents } from '../filter.ts';
import type { Query } from '../query.ts';
import type { FactPlan, Layer, Plan } from './plan.ts';
import { isByEvent, isCredited, planFact } from './plan-fact.ts';
import { planScope, type SiteFacts } from './plan-scope.ts';

/** Up to so many visits in the period, different visitors are counted exactly. */
const EXACT_VISITS_MAX = 1_000_000;

/** How a query is answered on a site that has this. Every choice is made here, and none in SQL. */
export function planQuery(query: Query, facts: SiteFacts): Plan {
  const counted = countParts(query, facts);
  const { dimensions, attribution } = query;
  const [time, ...others] = dimensions;
  const isSeries = time?.of === 'time' && others.length === 0;
  const ofEvents = dimensions.some(({ of }) => of === 'event');
  const joined = ofEvents ? counted.filter(({ ignoresEvents }) => ignoresEvents) : [];
  const laid = counted.filter((part) => !joined.includes(part));
  const models = attribution.models ?? [attribution.model];
  return {
    ...planScope(query, facts),
    metrics: query.metrics.map((metric) => planMetric(metric, counted, query)),
    dimensions,
    rows: { ...planLayer(laid, query, facts), filledBy: isSeries ? time : undefined },
    whole: joined.length > 0 ? planLayer(joined, withoutEventKeys(query), facts) : undefined,
    order: query.order,
    page: query.page,
    isApproximate: !isExact(facts) && counted.some(({ part }) => typeof part.sql === 'function'),
    isInParts: models.some((model) => !/_(?:touch|direct)$/.test(model)),
  };
}

/**
 * The plan of one statement about a query's period and the one that it is compared with: a row for each, the
 * earlier first. Nothing where the two do not follow each other, or something looks at one as a whole.
 */
export function planBothPeriods(query: Query, facts: SiteFacts): Plan | undefined {
  const { period, comparedWith, dimensions, filter, attribution, page } = query;
  const models = attribution.models ?? [attribution.model];
  const isOfBoth =
    dimensions.length === 0 &&
    page.offset === 0 &&
    !namesBehaviour(filter) &&
    !models.includes('data_driven');
  if (!isOfBoth || comparedWith?.endsAt !== period.startsAt) return undefined;
  const starts = [comparedWith.startsAt, period.startsAt];
  const time = { of: 'time', name: 'period', unit: 'month', starts } as const;
  const both = {
    ...query,
    period: { ...period, startsAt: comparedWith.startsAt },
    dimensions: [time],
    order: [{ by: time, direction: 'asc' as const }],
    page: { limit: starts.length, offset: 0 },
  };
  return planQuery(both, facts);
}

/** The one place that decides how different visitors are counted. */
function isExact({ visits }: SiteFacts): boolean {
  return visits <= EXACT_VISITS_MAX;
}

const EXACT: Distinct = (value, condition) =>
  condition === undefined ? `uniqExact(${value})` : `uniqExactIf(${value}, ${condition})`;

/** Within 0.3 % of the exact number, in half the time. */
const APPROXIMATE: Distinct = (value, condition) =>
  condition === undefined
    ? `uniqCombined64(17)(${value})`
    : `uniqCombined64If(17)(${value}, ${condition})`;

/** A part of a metric as this query counts it. */
type CountedPart = {
  readonly column: string;
  readonly key: string;
  readonly part: Part;
  readonly sql: string;
  readonly ignoresEvents: boolean;
  readonly model: AttributionModel;
};

/** The parts of a query's metrics, each once. */
function countParts(query: Query, facts: SiteFacts): CountedPart[] {
  const distinct = isExact(facts) ? EXACT : APPROXIMATE;
  const parts = query.metrics.flatMap((metric) => Object.values(metric.parts));
  const counted = parts.map((part) => {
    const own = asCounted(part, query);
    const sql = typeof own.sql === 'string' ? own.sql : own.sql(distinct);
    return [keyOf(part, query), { part: own, sql }] as const;
  });
  return [...new Map(counted)].map(([key, { part, sql }], index) => ({
    column: `p${index}`,
    key,
    part,
    sql,
    ignoresEvents: countsWithoutEvents(part, query),
    model: part.model ?? query.attribution.model,
  }));
}

function planMetric(
  { name, unit, parts, toSql }: Metric,
  counted: readonly CountedPart[],
  query: Query,
): Plan['metrics'][number] {
  const columns = Object.entries(parts).map(([part, { ...own }]) => {
    const key = keyOf(own, query);
    return [part, counted.find((each) => each.key === key)?.column ?? ''] as const;
  });
  return { name, unit, sql: toSql(Object.fromEntries(columns)) };
}

/** Counts that are equal have the same key. */
function keyOf(part: Part, query: Query): string {
  const { of, sql, model } = asCounted(part, query);
  const text = typeof sql === 'string' ? sql : sql(EXACT);
  return `${of} ${countsWithoutEvents(part, query)} ${model ?? ''} ${text}`;
}

function asCounted(part: Part, query: Query): Part {
  return isByEvent(query) ? (part.byEvent ?? part) : part;
}

/** Only where it makes a difference, so that equal numbers are counted once. */
function countsWithoutEvents(part: Part, query: Query): boolean {
  return part.ignoresEvents === true && isByEvent(query);
}

/** The facts of which the parts are counted; those of a site that nobody pays are 0 without looking. */
function planLayer(parts: readonly CountedPart[], query: Query, facts: SiteFacts): Layer {
  const groups = Map.groupBy(
    parts.filter(({ part }) => part.of !== 'payments' || facts.payments),
    ({ part, ignoresEvents }) => `${part.of} ${ignoresEvents}`,
  );
  return {
    keys: query.dimensions,
    columns: parts.map(({ column }) => column),
    facts: [...groups.values()].flatMap((own) => planCounts(own, query, facts)),
    filledBy: undefined,
  };
}

/** How the parts of one fact that see events alike are counted. */
function planCounts(parts: readonly CountedPart[], query: Query, facts: SiteFacts): FactPlan[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { of } = first.part;
  const asked = first.ignoresEvents ? withoutEventTests(query) : query;
  const models = isCredited(of, asked) ? [...new Set(parts.map(({ model }) => model))] : [];
  return [
    planFact(of, asked, facts, {
      models,
      needs: parts.flatMap(({ part }) => part.needs ?? []),
      counts: parts.map(({ column, sql, model }) => ({
        column,
        sql,
        modelNumber: models.length > 1 ? models.indexOf(model) + 1 : undefined,
      })),
    }),
  ];
}

function withoutEventTests(query: Query): Query {
  const filter = withoutEvents(query.filter) ?? { op: 'and', of: [] };
  return { ...withoutEventKeys(query), filter };
}

function withoutEventKeys(query: Query): Query {
  return { ...query, dimensions: query.dimensions.filter(({ of }) => of !== 'event') };
}
