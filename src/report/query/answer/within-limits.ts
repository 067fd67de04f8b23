import type { Fault } from '#contract/fault.ts';
import { RefusedQueryError, type RefusedQueryReason, TOO_SLOW } from '#domain/refused-query.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Refusal, ReportWarehouse, RunOptions, Stops } from '../../ports.ts';

const NARROW =
  'take a shorter date_range, narrower filters, or ask for fewer dimensions, metrics or steps';

/** How to refuse a query that exceeds its limits. */
const FAULTS: Readonly<Record<RefusedQueryReason, Fault>> = {
  duration: { path: '/date_range', message: `${TOO_SLOW}: ${NARROW}.` },
  rows: { path: '/date_range', message: `The query reads too many rows: ${NARROW}.` },
  memory: { path: '/date_range', message: `The query needs too much memory: ${NARROW}.` },
  size: {
    path: '',
    message: 'The query is too large: ask for fewer models, metrics, steps or filters at once.',
  },
  regular_expression: {
    path: '/filters',
    message: 'A regular expression of "matches" is too large, or is not valid in RE2 syntax.',
  },
};

/**
 * Returns the answer of `ask`, or a refusal that says what to narrow if the engine's limits stopped it. When one
 * statement fails, or the query is aborted, its other running and waiting statements are aborted: nobody waits for
 * them any more, but others wait for their turn.
 */
export async function withinLimits<T>(
  warehouse: ReportWarehouse,
  ask: (warehouse: ReportWarehouse) => Promise<T>,
  stopped?: Stops,
): Promise<Result<T, Refusal>> {
  const failed = new AbortController();
  const stops = { signal: AbortSignal.any([failed.signal, ...(stopped ? [stopped.signal] : [])]) };
  try {
    return ok(await ask(withOptions(warehouse, stops)));
  } catch (error) {
    failed.abort();
    if (!(error instanceof RefusedQueryError)) throw error;
    return refuse({ type: 'invalid_request', details: [FAULTS[error.reason]] });
  }
}

/** The same warehouse, with these options for each statement. */
export function withOptions(of: ReportWarehouse, own: Partial<RunOptions>): ReportWarehouse {
  return {
    select: (query, options) => of.select(query, { ...options, ...own }),
    selectFile: (query, format, options) => of.selectFile(query, format, { ...options, ...own }),
  };
}
