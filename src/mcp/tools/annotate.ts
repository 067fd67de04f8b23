import { AnnotateArguments } from '#contract/mcp/tools.ts';
import { zonedAt } from '#domain/time/period.ts';
import { tool } from './tool.ts';

/** `annotate`: notes on the chart what happened. The only tool that changes something. */
export const annotateTool = tool({
  name: 'annotate',
  title: 'Add a note to the chart',
  description:
    'Saves a dated note, such as a release or a campaign, which everybody who sees the site’s chart sees. at is a day in the site’s time zone, today by default.',
  scope: 'annotations:write',
  schema: AnnotateArguments,
  async run({ text, at }, { key, site }, deps) {
    const today = zonedAt(Date.now(), site.timezone).toPlainDate().toString();
    const note = { at: at ?? today, text };
    return { ...(await deps.annotate({ site, key, note })) };
  },
});
