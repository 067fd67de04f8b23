import { accepted } from '#api/queries/report-route.ts';
import { createChecker } from '#contract/checker.ts';
import {
  FunnelArguments,
  RetentionArguments,
  SiteArguments,
  TOOL_PERIODS,
  TOOL_ROWS,
} from '#contract/mcp/tools.ts';
import { Funnel } from '#contract/reports/funnel.ts';
import { Retention } from '#contract/reports/retention.ts';
import { askReport } from './ask-report.ts';
import { tool } from './tool.ts';

const FUNNEL = createChecker(Funnel);
const RETENTION = createChecker(Retention);

/** `funnel`: how many people take each step. */
export const funnelTool = tool({
  name: 'funnel',
  title: 'Query a funnel',
  description:
    'Pages, goals and payments as ordered steps: how many people reach each, how fast, where they drop off, and how much those who finish pay. With dimensions, one row for each group.',
  scope: 'stats:read',
  schema: FunnelArguments,
  async run({ limit = TOOL_ROWS.byDefault, ...asked }, call, deps) {
    // The limit of a funnel is one of its breakdown.
    const body = { ...asked, ...(asked.dimensions && { limit }) };
    const answer = await askReport([FUNNEL, deps.reports.funnel], body, call, deps);
    const { results, meta, query } = answer;
    const { total_rows, ...notes } = meta;
    const { date_range: period, timezone, steps } = query;
    return { period, timezone, steps, notes, rows: results, total_rows };
  },
});

/** `retention`: who comes back, or pays again. */
export const retentionTool = tool({
  name: 'retention',
  title: 'Query retention',
  description:
    'Weekly or monthly cohorts of visitors or customers, and how many of each return or pay in later periods. overall is all cohorts together. Default: the last 91 days.',
  scope: 'stats:read',
  schema: RetentionArguments,
  async run({ periods = TOOL_PERIODS, date_range = '91d', ...asked }, call, deps) {
    const body = { ...asked, periods, date_range };
    const answer = await askReport([RETENTION, deps.reports.retention], body, call, deps);
    const { results, overall, meta: notes, query } = answer;
    const { date_range: period, timezone, unit, cohort, measure } = query;
    return { period, timezone, unit, cohort, measure, overall, notes, rows: results };
  },
});

/** `insights`: what stands out in the last week. */
export const insightsTool = tool({
  name: 'insights',
  title: 'What stands out',
  description:
    'At most five sentences about the last seven whole days, each with its figures and their query. What may be chance is left out; no rows if nothing stands out.',
  scope: 'stats:read',
  schema: SiteArguments,
  async run(_, { site, stops }, { reports, noteBehind }) {
    const answer = noteBehind(await reports.insights(site, stops));
    const { results: rows, meta: notes, ...weeks } = answer;
    return { ...weeks, notes, rows };
  },
});

const LIVE_ROWS = 10;

/** `live`: the visitors now. */
export const liveTool = tool({
  name: 'live',
  title: 'Visitors now',
  description: 'Visitors of the last 5 and 30 minutes, by page, source and country, without bots.',
  scope: 'stats:read',
  schema: SiteArguments,
  async run(_, { site }, deps) {
    const { minutes: __, ...now } = accepted(await deps.reports.countLive(site, LIVE_ROWS));
    return now;
  },
});
