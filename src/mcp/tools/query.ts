import { createChecker } from '#contract/checker.ts';
import { CompareArguments, QueryArguments, TOOL_ROWS } from '#contract/mcp/tools.ts';
import { SentQuery } from '#contract/query.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { askReport } from './ask-report.ts';
import { toAnswerTable } from './to-answer-table.ts';
import { tool } from './tool.ts';

const CHECKER = createChecker(SentQuery);

/** `query`: metrics by dimensions. */
export const queryTool = tool({
  name: 'query',
  title: 'Query metrics',
  description:
    'Visitors, goals, revenue and costs, in total or by dimensions such as visit:source, event:page or time:day. Call describe_schema for the names of metrics, dimensions and filters. Totals count all rows. With event dimensions, whose rows overlap, they count everything that the filters leave.',
  scope: 'stats:read',
  schema: QueryArguments,
  async run(sent, call, deps) {
    const {
      limit = TOOL_ROWS.byDefault,
      offset = 0,
      compare,
      model,
      lookback_days,
      ...asked
    } = sent;
    // A visit has several pages, so the API adds no totals to rows of events: they are asked for on their own.
    const isOfEvents = asked.dimensions?.some((name) => name.startsWith('event:')) ?? false;
    const ask = (fields: object) =>
      askReport([CHECKER, deps.reports.breakdowns], { ...asked, ...fields }, call, deps);
    const attribution = { ...(model && { model }), ...(lookback_days && { lookback_days }) };
    const compared = { ...(compare && { compare }) };
    const include = { totals: !isOfEvents, total_rows: true, ...compared };
    const answer = await ask({ attribution, include, pagination: { limit, offset } });
    if (!isOfEvents) return toAnswerTable(answer);
    const whole = await ask({ attribution, include: compared, dimensions: [], order_by: [] });
    const [totals] = whole.results;
    return toAnswerTable({ ...answer, ...(totals && { totals }) });
  },
});

/** `compare_attribution`: one breakdown by several models. */
export const compareAttributionTool = tool({
  name: 'compare_attribution',
  title: 'Compare attribution models',
  description:
    'Credits payments or goals to sources by several attribution models side by side: which channels bring people in, and which close. One column for each metric and model.',
  scope: 'stats:read',
  schema: CompareArguments,
  async run(sent, call, deps) {
    const {
      limit = TOOL_ROWS.byDefault,
      metrics = ['revenue'],
      dimension = 'visit:source',
      models = [...ATTRIBUTION_MODELS],
      lookback_days,
      ...asked
    } = sent;
    const body = {
      ...{ ...asked, metrics, dimensions: [dimension] },
      pagination: { limit },
      include: { totals: true, total_rows: true },
      attribution: { models, ...(lookback_days && { lookback_days }) },
    };
    return toAnswerTable(await askReport([CHECKER, deps.reports.breakdowns], body, call, deps));
  },
});
