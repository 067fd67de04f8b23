import type { Fault } from '#contract/fault.ts';
import type { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { DIMENSION_NAMES, findDimension } from '../catalog.ts';
import type { Bind, VisitDimension, VisitorDimension } from '../dimension.ts';
import type { Planned, Report } from '../query/answer/report-kind.ts';
import type { BaseQuery } from '../query/query.ts';
import { perHeadOf, toMoney } from '../query/shape/to-answer-row.ts';
import { instant } from '../query/sql/rows.ts';
import { membersSql, withOutlaysSql } from './cohorts/members.ts';
import { splitFilter } from './cohorts/split-filter.ts';

/** A group, or all: for each month since, how many members completed it, and what they paid by its end. */
type Row = {
  readonly is_overall: 0 | 1;
  readonly group_value: string;
  readonly size: string;
  readonly members: readonly string[];
  readonly minors: readonly string[];
  readonly rows: string;
};

const DEFAULTS = {
  cohort: 'first_visit',
  group_by: 'cohort_month',
  months: 12,
  limit: 100,
} as const;

/** The lifetime value report: cumulative revenue by months since the first visit or payment, by cohort or acquisition. */
export const ltv: Report<Ltv, Query, Row, LtvAnswer> = {
  parse,
  toSql,
  paymentsOf: ({ filter }) => filter.payments,
  toAnswer: ([overall, ...groups], report, { meta, query }) => ({
    results: groups.map((row) => ({ group: row.group_value, ...toResult(row, report) })),
    overall: toResult(overall, report),
    meta: { total_rows: Math.max(0, Number(overall?.rows ?? 1) - 1), ...meta },
    query,
  }),
};

function parse(sent: Ltv, base: BaseQuery, faults: Fault[], now: number) {
  const asked = { ...DEFAULTS, ...sent };
  const filter = splitFilter(base.filter, { takesPayments: true }, faults);
  const dimension = parseGroup(asked.group_by, faults);
  // Everything paid up to now by people who first visited or paid in the range.
  const period = { startsAt: 0, endsAt: now + 1, timeZone: base.period.timeZone };
  // A breakdown by bots counts them, as a filter does.
  const query = { ...base, period, dimensions: dimension === undefined ? [] : [dimension] };
  return { asked, query, filter, range: base.period, dimension };
}

type Query = ReturnType<typeof parse>;

/** A dimension of the first visit; undefined for cohorts by week or month. */
function parseGroup(name: string, faults: Fault[]): VisitDimension | VisitorDimension | undefined {
  if (name === 'cohort_week' || name === 'cohort_month') return undefined;
  const dimension = findDimension(name);
  if (dimension?.of === 'visit' || dimension?.of === 'visitor') return dimension;
  const ofFirstVisit = DIMENSION_NAMES.filter((each) => /^visit(or)?:/.test(each));
  const known = ['cohort_month', 'cohort_week', ...ofFirstVisit];
  const message = `${JSON.stringify(name)} does not group people. Known: ${known.join(', ')}.`;
  faults.push({ path: '/group_by', message });
  return undefined;
}

/** A group without a row has no members. */
function toResult(row: Row | undefined, { asked, query }: Planned<Query>): LtvAnswer['overall'] {
  const { currency } = query.site;
  return {
    size: Number(row?.size ?? 0),
    months: Array.from({ length: asked.months }, (_, month) => {
      const members = BigInt(row?.members[month] ?? 0);
      if (members === 0n) return null;
      const minor = BigInt(row?.minors[month] ?? 0);
      return {
        members: Number(members),
        revenue: toMoney(minor, currency),
        revenue_per_member: toMoney(perHeadOf(minor, members), currency),
      };
    }),
  };
}

/** Sums what members paid, by month since their first visit or payment. */
function toSql(report: Planned<Query>, bind: Bind): string {
  const { plan, filter, dimension, range, now, asked } = report;
  const { cohort, group_by, limit } = asked;
  const [from, to] = [instant(range.startsAt, bind), instant(range.endsAt, bind)];
  const joined = `joined_at >= ${from} AND joined_at < ${to}`;
  const until = cohort === 'first_visit' ? range.endsAt : plan.period.endsAt;
  const members = membersSql({ cohort, ...filter, dimension, joined, until }, plan, bind);
  const today = bind(toBucketLabel(now, 'day', plan.period.timeZone), 'String');
  const months = bind(asked.months, 'Int64');
  const livedBy = `least(${monthsSince('joined_on', `toDate(${today})`)}, ${months})`;
  const made = `greatest(${monthsSince('joined_on', 'tupleElement(outlay, 1)')}, 0)`;
  const startOf = group_by === 'cohort_week' ? 'toMonday' : 'toStartOfMonth';
  const own = dimension === undefined ? `toString(${startOf}(joined_on))` : 'first_value';
  return `
    SELECT place.1 AS is_overall, place.2 AS group_value, toString(sum(people)) AS size,
      arrayMap(n -> toString(n), sumForEach(arrayMap(n -> if(lived > n, people, 0), range(${months})))) AS members,
      arrayMap(n -> toString(n), sumForEach(arrayMap(
        n -> if(lived > n AND made <= n, minor, toInt128(0)), range(${months})))) AS minors,
      toString(count() OVER ()) AS rows
    FROM (
      SELECT own, lived, fact.1 AS made, sum(fact.2) AS people, sum(fact.3) AS minor
      FROM (
        SELECT ${own} AS own, ${livedBy} AS lived,
          arrayJoin(arrayConcat([(toInt64(0), 1, toInt128(0))],
            arrayMap(outlay -> (${made}, 0, tupleElement(outlay, 2)), outlays))) AS fact
        FROM ${withOutlaysSql(members, filter.payments, plan, bind)}
      )
      GROUP BY own, lived, made
    )
    ARRAY JOIN [(1, ''), (0, own)] AS place
    GROUP BY place
    ORDER BY is_overall DESC, ${dimension === undefined ? '' : 'sum(people) DESC,'} group_value
    LIMIT ${bind(limit + 1, 'UInt64')}`;
}

/**
 * SQL for the whole months between two days: a month ends on the same day of a later month, or on its last day if it
 * is shorter.
 *
 * - Why days and not instants: a renewal charged a second earlier than last month's still counts in the next month,
 *   and clock changes do not matter.
 */
function monthsSince(from: string, to: string): string {
  const crossed = `dateDiff('month', ${from}, ${to})`;
  return `(${crossed} - toInt64(addMonths(${from}, ${crossed}) > ${to}))`;
}
