import type { Funnel, FunnelAnswer, FunnelStep } from '#contract/reports/funnel.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import { parseDimensions } from '../parse-dimensions.ts';
import { ALL, type Planned, type Report } from '../report-kind.ts';
import { parseStep, refusePayments, toWindow } from '../steps/step.ts';
import { type FunnelQuery, type FunnelRow, toFunnelStatement } from './funnel-sql.ts';

const DEFAULTS = { within: { days: 30 }, by: 'person', limit: 100 } as const;
const BROKEN_DOWN_BY = { what: 'this is', kinds: ['visit', 'visitor'] } as const;

/** How many go through the steps of a funnel, how fast, and what those who finish pay. */
export const funnel: Report<Funnel, FunnelQuery, FunnelRow, FunnelAnswer> = {
  parse(sent, base, faults) {
    refusePayments(base.filter, faults);
    const steps = sent.steps.map((step, index) => parseStep(step, `/steps/${index}`, faults));
    const asked = { ...DEFAULTS, dimensions: [], ...sent, steps };
    const dimensions = parseDimensions(asked.dimensions, BROKEN_DOWN_BY, faults);
    return { asked, window: toWindow(asked.within), query: { ...base, dimensions } };
  },
  toStatement: toFunnelStatement,
  paymentsOf: () => ALL,
  toAnswer: (rows, report, { meta, query }) => ({
    results: rows.map((row) => toResult(row, report)),
    meta: { total_rows: Number(rows[0]?.total_rows ?? 0), ...meta },
    query,
  }),
  needs: { steps: [] },
};

function toResult(
  row: FunnelRow,
  { query }: Planned<FunnelQuery>,
): FunnelAnswer['results'][number] {
  const reached = row.reached.map(BigInt);
  return {
    dimensions: query.dimensions.map((_, index) => String(row[`d${index}`])),
    steps: reached.map((count, index) => toStep(count, index, reached, row)),
    revenue: toMoney(BigInt(row.minor), query.site.currency),
  };
}

function toStep(
  count: bigint,
  index: number,
  reached: readonly bigint[],
  { step_ms, total_ms }: FunnelRow,
): FunnelStep {
  const next = reached[index + 1];
  const droppedOff = next === undefined ? null : count - next;
  return {
    reached: Number(count),
    conversion_rate: percentOf(count, reached[0] ?? 0n),
    step_conversion_rate: percentOf(count, reached[index - 1] ?? count),
    dropped_off: droppedOff === null ? null : Number(droppedOff),
    drop_off_rate: droppedOff === null ? null : percentOf(droppedOff, count),
    median_seconds: seconds(step_ms[index - 1]),
    median_seconds_from_start: seconds(total_ms[index - 1]),
  };
}

function seconds(ms: number | null | undefined): number | null {
  return ms == null ? null : Math.round(ms / 1_000);
}
