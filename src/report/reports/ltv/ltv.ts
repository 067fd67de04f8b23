import type { Fault } from '#contract/fault.ts';
import type { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { DIMENSION_NAMES, findDimension } from '../../catalog.ts';
import type { VisitDimension, VisitorDimension } from '../../dimension.ts';
import type { BaseQuery } from '../../query/query.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { instant } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { membersSql } from '../cohorts/members.ts';
import { moneySql } from '../cohorts/money.ts';
import { perHeadOf } from '../cohorts/percent.ts';
import { type SplitFilter, splitFilter } from '../cohorts/split-filter.ts';
import type { Planned, Report } from '../report-kind.ts';

/** A query about lifetime value, parsed. */
type LtvQuery = {
  readonly asked: Ltv & Required<Pick<Ltv, 'cohort' | 'group_by' | 'months' | 'limit'>>;
  /** Of all that was paid up to now. */
  readonly query: BaseQuery;
  readonly filter: SplitFilter;
  /** When members first came or paid. */
  readonly range: { readonly startsAt: number; readonly endsAt: number };
  /** Of their first visit; they are grouped by when they first came or paid without. */
  readonly dimension: VisitDimension | VisitorDimension | undefined;
};

/** A group, or all of them: of each month since, how many lived through it, and what they paid by its end. */
type LtvRow = {
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

/** What people have paid by each month since they first came or paid, by whence or when that was. */
export const ltv: Report<Ltv, LtvQuery, LtvRow, LtvAnswer> = {
  parse(sent, base, faults, now) {
    const asked = { ...DEFAULTS, ...sent };
    const filter = splitFilter(base.filter, { takesPayments: true }, faults);
    const dimension = parseGroup(asked.group_by, faults);
    if (!filter) return undefined;
    const period = { startsAt: 0, endsAt: now + 1, timeZone: base.period.timeZone };
    // A breakdown that tells bots apart counts them, as a filter does.
    const query = { ...base, period, dimensions: dimension === undefined ? [] : [dimension] };
    return { asked, query, filter, range: base.period, dimension };
  },
  toStatement: toLtvStatement,
  paymentsOf: ({ filter }) => filter.payments,
  toAnswer(rows, report, { meta, query }) {
    const [overall, ...groups] = rows;
    return {
      results: groups.map((row) => ({ group: row.group_value, ...toResult(row, report) })),
      overall: toResult(overall, report),
      meta: { total_rows: Math.max(0, Number(overall?.rows ?? 1) - 1), ...meta },
      query,
    };
  },
};

function parseGroup(name: string, faults: Fault[]): LtvQuery['dimension'] {
  if (name === 'cohort_week' || name === 'cohort_month') return undefined;
  const dimension = findDimension(name);
  if (dimension?.of === 'visit' || dimension?.of === 'visitor') return dimension;
  const ofFirstVisit = DIMENSION_NAMES.filter((each) => /^visit(or)?:/.test(each));
  const known = ['cohort_month', 'cohort_week', ...ofFirstVisit];
  const message = `${JSON.stringify(name)} does not group people. Known: ${known.join(', ')}.`;
  faults.push({ path: '/group_by', message });
  return undefined;
}

/** Without a row there is nobody. */
function toResult(
  row: LtvRow | undefined,
  { asked, query }: Planned<LtvQuery>,
): LtvAnswer['overall'] {
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

/** The statement that adds up what members paid, month by month since they first came or paid. */
function toLtvStatement(report: Planned<LtvQuery>): Statement {
  const { bind, params } = createBindings();
  const { plan, filter, dimension, range, now, asked } = report;
  const { cohort, group_by, limit } = asked;
  const { startsAt, endsAt } = range;
  const joined = `joined_at >= ${instant(startsAt, bind)} AND joined_at < ${instant(endsAt, bind)}`;
  const until = cohort === 'first_visit' ? endsAt : plan.period.endsAt;
  const members = membersSql({ cohort, filter, dimension, joined, until }, plan, bind);
  const today = bind(toBucketLabel(now, 'day', plan.period.timeZone), 'String');
  const months = bind(asked.months, 'Int64');
  const livedBy = `least(${monthsSince('joined_on', `toDate(${today})`)}, ${months})`;
  const made = `greatest(${monthsSince('joined_on', 'tupleElement(outlay, 1)')}, 0)`;
  const startOf = group_by === 'cohort_week' ? 'toMonday' : 'toStartOfMonth';
  const own = dimension === undefined ? `toString(${startOf}(joined_on))` : 'first_value';
  const sql = `
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
        FROM (${members}) AS members LEFT JOIN (
          SELECT who AS payer, groupArray((made_on, amount_minor)) AS outlays
          FROM (${moneySql(filter.payments, plan, bind)}) GROUP BY payer
        ) AS paid ON members.who = paid.payer
      )
      GROUP BY own, lived, made
    )
    ARRAY JOIN [(1, ''), (0, own)] AS place
    GROUP BY place
    ORDER BY is_overall DESC, ${dimension === undefined ? '' : 'sum(people) DESC,'} group_value
    LIMIT ${bind(limit + 1, 'UInt64')}`;
  return { sql, params };
}

/**
 * SQL of the whole months from one day to another: the same day of a later month ends one, or its last
 * day where it has no such.
 *
 * - Why days and no instants: a renewal that comes a second earlier than the month before is of the
 *   next month, and no change of clocks matters.
 */
function monthsSince(from: string, to: string): string {
  const crossed = `dateDiff('month', ${from}, ${to})`;
  return `(${crossed} - toInt64(addMonths(${from}, ${crossed}) > ${to}))`;
}
