import type { Funnel, FunnelAnswer, FunnelStep } from '#contract/reports/funnel.ts';
import { echoOf } from '../../query/parse/parse-fields.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { toMoney } from '../../query/shape/to-answer-row.ts';
import { percentOf } from '../cohorts/percent.ts';
import { ALL, createReportKind } from '../report-kind.ts';
import { toSentStep } from '../steps/parse-steps.ts';
import { type FunnelRow, toFunnelStatement } from './funnel-statement.ts';
import { FUNNEL_DEFAULTS, type FunnelPlan, parseFunnel } from './parse-funnel.ts';

/** Answers how many go through the steps of a funnel, how fast, and what those who finish pay. */
export function createFunnel(parts: KindParts): QueryKind<Funnel, FunnelAnswer> {
  return createReportKind(parts, {
    parse: parseFunnel,
    toStatement: toFunnelStatement,
    paymentsOf: () => ALL,
    toAnswer(rows: readonly FunnelRow[], funnel, asked, moneyNotes) {
      const { query } = funnel;
      return {
        results: rows.map((row) => toResult(row, funnel)),
        meta: { total_rows: Number(rows[0]?.total_rows ?? 0), ...moneyNotes },
        query: {
          ...echoOf(asked, query.period),
          steps: funnel.steps.map(toSentStep),
          within: asked.within ?? FUNNEL_DEFAULTS.within,
          by: funnel.by,
          dimensions: query.dimensions.map(({ name }) => name),
          limit: funnel.limit,
        },
      };
    },
    needs: { steps: [] },
  });
}

function toResult(row: FunnelRow, { query }: FunnelPlan): FunnelAnswer['results'][number] {
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
