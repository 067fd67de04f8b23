import { accepted } from '#api/queries/report-route.ts';
import type { Checker } from '#contract/checker.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import type { QueryKind } from '#report/query/answer/query-kind.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import type { ToolCall, ToolDeps } from './tool.ts';

/** What the period of a tool is if the assistant names none. */
const DATE_RANGE = '30d';

type Period = { readonly site?: string | undefined };

/**
 * Asks a report as its API route does, with a body of the API: its schema decides, and unknown names are listed with the
 * known ones. Throws a refusal with every fault.
 */
export async function askReport<Sent extends AskedFields, Answer>(
  [checker, kind]: readonly [Checker<Sent>, QueryKind<Sent, Answer>],
  { site: _, ...sent }: Period & Readonly<Record<string, unknown>>,
  { site, stops }: ToolCall,
  { noteBehind }: Pick<ToolDeps, 'noteBehind'>,
): Promise<Answer> {
  const body = { date_range: DATE_RANGE, ...sent, site_id: site.id };
  if (checker.isValid(body)) return noteBehind(accepted(await kind.answer(site, body, stops)));
  const faults = checker.findFaults(body);
  throw refuseFaults([...faults, ...kind.findMoreFaults(site, body, faults)]);
}
