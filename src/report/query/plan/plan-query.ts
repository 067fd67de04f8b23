import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Dimension } from '../../dimension.ts';
import { type Distinct, type Fact, metricSql, type Need, type Part } from '../../metric.ts';
import { EVERYTHING, withoutEvents } from '../filter.ts';
import type { Query } from '../query.ts';
import type { FactPlan, Layer, Plan, Rank, SiteFacts } from './plan.ts';
import { isByEvent, isCredited, isExact, planFact, planScope } from './plan-fact.ts';

/** Plans a query for a site with these facts. Makes every choice; the SQL code makes none. */
export function planQuery(query: Query, facts: SiteFacts): Plan {
  const { counted, metrics } = countParts(query, facts);
  const { attribution, dimensions, order, page } = query;
  const models = attribution.models ?? [attribution.model];
  const [time, ...others] = dimensions;
  const isSeries = time?.of === 'time' && others.length === 0;
  // Ignoring dimensions may leave other keys; equal keys need no join.
  const keysOf = ({ ignores }: CountedPart) =>
    dimensions.filter((each) => !isIgnored(each, ignores));
  const joined = counted.filter((part) => keysOf(part).length < dimensions.length);
  const laid = counted.filter((part) => !joined.includes(part));
  const wholes = Map.groupBy(joined, ({ ignores }) => ignores);
  const isFirstPage = page.offset === 0 && page.after === undefined;
  const hasTotal = query.hasTotals && isFirstPage && dimensions.length > 0;
  const rows = planLayer(laid, query, facts, isSeries ? time : undefined);
  const rank = hasTotal ? undefined : planRank(query, metrics, rows);
  return {
    ...planScope(query, facts),
    metrics,
    dimensions,
    rows: { ...rows, hasTotal, rank },
    wholes: [...wholes].map(([ignores, parts]) => {
      const keys = dimensions.filter((each) => !isIgnored(each, ignores));
      return planLayer(parts, { ...query, dimensions: keys }, facts);
    }),
    order,
    page,
    isApproximate: !isExact(facts) && counted.some(({ isDistinct }) => isDistinct),
    isInParts: models.some((model) => !/_(?:touch|direct)$/.test(model)),
  };
}

/** If a sum of payments comes first in the order of a first page by one dimension, and other facts are counted too. */
function planRank(
  { order: [first], dimensions, attribution, page }: Query,
  metrics: Plan['metrics'],
  { facts }: Layer,
): Rank | undefined {
  const ranked = metrics.find(({ name }) => name === first?.by.name && first.direction === 'desc');
  const fact = facts.findIndex(
    ({ of, counts }) => of === 'payments' && counts.some(({ column }) => column === ranked?.sql),
  );
  const isSimple = dimensions.length === 1 && attribution.models === undefined;
  if (ranked === undefined || fact === -1 || facts.length < 2) return undefined;
  if (!isSimple || page.after !== undefined) return undefined;
  return { fact, column: ranked.sql, rows: page.offset + page.limit + 1 };
}

const distinctBy =
  (aggregate: string, precision = ''): Distinct =>
  (value, condition) =>
    condition === undefined
      ? `${aggregate}${precision}(${value})`
      : `${aggregate}If${precision}(${value}, ${condition})`;
const EXACT = distinctBy('uniqExact');
/** Within 0.3 % of the exact number, in half the time. */
const APPROXIMATE = distinctBy('uniqCombined64', '(17)');

/** A part of a metric as counted by this query. */
type CountedPart = {
  readonly column: string;
  readonly of: Fact;
  readonly sql: string;
  readonly needs: readonly Need[];
  readonly isDistinct: boolean;
  /** Only if it matters, so that equal numbers are counted once. */
  readonly ignores: Part['ignores'];
  readonly model: AttributionModel;
};

/** The distinct parts of a query's metrics, and the metrics over the columns of their parts. */
function countParts(
  query: Query,
  facts: SiteFacts,
): { readonly counted: readonly CountedPart[]; readonly metrics: Plan['metrics'] } {
  const distinct = isExact(facts) ? EXACT : APPROXIMATE;
  const ofEvents = isByEvent(query);
  const hasRows = query.dimensions.length > 0;
  const countedByKey = new Map<string, CountedPart>();
  const columnOf = (part: Part) => {
    const { of, sql, needs = [] } = ofEvents ? (part.byEvent ?? part) : part;
    const isDistinct = typeof sql !== 'string';
    const own = {
      of,
      sql: isDistinct ? sql(distinct) : sql,
      needs,
      isDistinct,
      ignores: (part.ignores === 'events' ? ofEvents : hasRows) ? part.ignores : undefined,
      model: part.model ?? query.attribution.model,
    };
    const key = JSON.stringify(own);
    const counted = countedByKey.get(key) ?? { ...own, column: `p${countedByKey.size}` };
    countedByKey.set(key, counted);
    return counted.column;
  };
  const metrics = query.metrics.map(({ name, unit, parts }) => {
    const [counted = '', per, missing] = parts.map(columnOf);
    return { name, unit, sql: metricSql(unit, counted, per, missing) };
  });
  return { counted: [...countedByKey.values()], metrics };
}

/** The facts that the parts count; on a site without payments or costs, theirs are 0 without a lookup. */
function planLayer(
  parts: readonly CountedPart[],
  query: Query,
  facts: SiteFacts,
  filledBy?: Layer['filledBy'],
): Layer {
  const groups = Map.groupBy(
    parts.filter(({ of }) => (of !== 'payments' && of !== 'costs') || facts[of]),
    ({ of, ignores }) => `${of} ${ignores}`,
  );
  const columns = parts.map(({ column }) => column);
  const planned = [...groups.values()].flatMap((own) => planCounts(own, query, facts));
  // If one fact counts everything, its groups are the rows, unless each belongs to one model.
  const isWhole = ({ counts }: FactPlan) =>
    counts.length === columns.length &&
    counts.every(({ modelNumber }) => modelNumber === undefined);
  return {
    keys: query.dimensions,
    columns,
    facts: planned,
    hasTotal: false,
    filledBy,
    isMerged: filledBy !== undefined || planned.length !== 1 || !planned.every(isWhole),
    rank: undefined,
  };
}

/** Plans the counts of one fact's parts that see events alike. */
function planCounts(parts: readonly CountedPart[], query: Query, facts: SiteFacts): FactPlan[] {
  const [first] = parts;
  if (first === undefined) return [];
  const filter = first.ignores === 'events' ? withoutEvents(query.filter) : query.filter;
  const own = { ...query, filter: filter ?? EVERYTHING };
  const models = isCredited(first.of, own) ? [...new Set(parts.map(({ model }) => model))] : [];
  const counts = parts.map(({ column, sql, model }) => ({
    column,
    sql,
    modelNumber: models.length > 1 ? models.indexOf(model) + 1 : undefined,
  }));
  const needs = parts.flatMap((part) => part.needs);
  return [planFact(first.of, own, facts, { models, needs, counts })];
}

function isIgnored({ of }: Dimension, ignores: Part['ignores']): boolean {
  return ignores === 'rows' || (ignores === 'events' && of === 'event');
}
