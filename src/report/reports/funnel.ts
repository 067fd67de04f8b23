import type { Fault } from '#contract/fault.ts';
import type { Funnel, FunnelAnswer, FunnelStepFigures } from '#contract/reports/funnel.ts';
import type { Bind } from '../dimension.ts';
import { type Planned, parseDimensions, type Report } from '../query/answer/report-kind.ts';
import { EVERYTHING } from '../query/filter.ts';
import { refusePayments } from '../query/parse/parse-filter.ts';
import type { BaseQuery } from '../query/query.ts';
import { percentOf, toMoney } from '../query/shape/to-answer-row.ts';
import { columnOfVisit, columns } from '../query/sql/rows.ts';
import { atSql, attemptsSql, stepActionsSql } from './steps/attempts.ts';
import { beginningSql, needsBegunVisit } from './steps/beginning.ts';
import { withRevenueSql } from './steps/payments.ts';
import { parseStep, toWindow, withReach } from './steps/step.ts';

const DEFAULTS = { within: { days: 30 }, by: 'person', limit: 100 } as const;
const BROKEN_DOWN_BY = { what: 'this is', kinds: ['visit', 'visitor'] } as const;

/** A row of a funnel's answer, with `d0, …` for the dimensions. */
type Row = Readonly<Record<string, string>> & {
  /** How many reached each step. */
  readonly reached: readonly string[];
  /** Median milliseconds since the previous and since the first step, from the second step on. */
  readonly step_ms: readonly (number | null)[];
  readonly total_ms: readonly (number | null)[];
  readonly minor: string;
  readonly total_rows: string;
};

/** The funnel report: how many people reach each step, how fast, and how much those who finish pay. */
export const funnel: Report<Funnel, Query, Row, FunnelAnswer> = {
  parse,
  toSql,
  paymentsOf: () => EVERYTHING,
  toAnswer: (rows, { query: { site, dimensions } }, { meta, query }) => ({
    results: rows.map((row) => ({
      dimensions: dimensions.map((_, index) => String(row[`d${index}`])),
      steps: row.reached.map((_, index) => toStep(index, row)),
      revenue: toMoney(BigInt(row.minor), site.currency),
    })),
    meta: { total_rows: Number(rows[0]?.total_rows ?? 0), ...meta },
    query,
  }),
  needs: { steps: [] },
};

function parse(sent: Funnel, base: BaseQuery, faults: Fault[]) {
  refusePayments(base.filter, faults);
  const steps = sent.steps.map((step, index) => parseStep(step, `/steps/${index}`, faults));
  const asked = { ...DEFAULTS, dimensions: [], ...sent, steps };
  const dimensions = parseDimensions(asked.dimensions, BROKEN_DOWN_BY, faults);
  return { asked, window: toWindow(asked.within), query: { ...base, dimensions } };
}

type Query = ReturnType<typeof parse>;

function toSql(report: Planned<Query>, bind: Bind): string {
  const { dimensions, values: found } = report.plan;
  const { steps, limit } = report.asked;
  const { from, where } = beginningsSql(report, bind);
  const keys = columns('d', dimensions);
  const values = dimensions.map((each, index) => `${columnOfVisit(found, each)} AS d${index}`);
  const reached = steps.map((_, index) => `countIf(level > ${index})`);
  const medians = (since: (step: number) => number) =>
    steps.slice(1).map((_, index) => {
      const ms = `${atSql(`took.${index + 2}`)} - ${atSql(`took.${since(index + 2)}`)}`;
      return `quantileExactInclusiveIf(0.5)(${ms}, level > ${index + 1})`;
    });
  return `
    SELECT ${[
      ...values,
      `[${reached.join(', ')}] AS reached`,
      `[${medians((step) => step - 1).join(', ')}] AS step_ms`,
      `[${medians(() => 1).join(', ')}] AS total_ms`,
      'toString(sum(minor)) AS minor',
      'count() OVER () AS total_rows',
    ].join(', ')}
    FROM ${from}
    WHERE ${where}
    ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}
    ORDER BY ${['reached DESC', ...keys].join(', ')}
    LIMIT ${bind(limit, 'UInt64')}`;
}

/**
 * Everyone who began, with the attempt that counts and, if they finished it, what they paid.
 *
 * Why a condition on the payer: most people never finish, and then need no lookup.
 */
function beginningsSql({ plan, asked: { steps }, window }: Planned<Query>, bind: Bind) {
  const reach = withReach(plan, window);
  const sought = { steps, before: plan.period.endsAt, needsVisit: needsBegunVisit(plan) };
  const rows = withRevenueSql(
    attemptsSql(sought, window, reach, bind),
    { since: atSql('took.1'), payer: `if(level = ${steps.length}, person_number, 0)` },
    { plan, window, bind },
  );
  const first = { ...sought, steps: steps.slice(0, 1), needsVisit: false };
  return beginningSql(rows, stepActionsSql(first, reach, bind), { plan, bind });
}

function toStep(index: number, { reached, step_ms, total_ms }: Row): FunnelStepFigures {
  const count = (step: number, other: string) => BigInt(reached[step] ?? other);
  const own = count(index, '0');
  const isLast = index === reached.length - 1;
  const droppedOff = own - count(index + 1, '0');
  return {
    reached: Number(own),
    conversion_rate: percentOf(own, count(0, '0')),
    step_conversion_rate: percentOf(own, count(index - 1, `${own}`)),
    dropped_off: isLast ? null : Number(droppedOff),
    drop_off_rate: isLast ? null : percentOf(droppedOff, own),
    median_seconds: seconds(step_ms[index - 1]),
    median_seconds_from_start: seconds(total_ms[index - 1]),
  };
}

function seconds(ms: number | null | undefined): number | null {
  return ms == null ? null : Math.round(ms / 1_000);
}
