import type { FastifyBaseLogger } from 'fastify';
import { type Checker, createChecker } from '#contract/checker.ts';
import type { Site } from '#domain/site/site.ts';
import { logAndRefuse, RefusedRequest } from '#server/errors/errors.ts';
import { parseBody } from '#server/requests/body.ts';
import { assertOwnSite, ofAnotherSite } from '#server/requests/read-params.ts';
import { fitAnswer } from './fit-answer.ts';
import type { Tool, ToolCall, ToolDeps } from './tools/tool.ts';
import { TOOLS } from './tools.ts';

/** The result of a call as the protocol has it: JSON, or one line that says what is wrong. */
export type ToolResult = { readonly text: string; readonly isError: boolean };

/** A call whose site is not known yet. */
type KeyCall = Omit<ToolCall, 'site'>;

type CallDeps = ToolDeps & {
  readonly sites: { findSite(named: string): Site | undefined };
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
};

/** Calls a tool. What is refused is a result, which the assistant reads, and not an error of the protocol. */
export async function callTool(
  name: string,
  sent: unknown,
  call: KeyCall,
  deps: CallDeps,
): Promise<ToolResult> {
  try {
    const found = findTool(name, call);
    const asked = parseBody(checkers.getOrInsertComputed(found, toChecker), sent ?? {});
    const { site: named } = asked as { readonly site?: string };
    if (named !== undefined) assertOwnSite(deps.sites, named, call.key);
    const site = deps.sites.findSite(call.key.siteId);
    if (site === undefined) throw ofAnotherSite(); // It has just been removed.
    return { text: fitAnswer(await found.run(asked, { ...call, site }, deps)), isError: false };
  } catch (error) {
    if (call.stops.signal.aborted) throw error;
    const facts = { isRead: true, requestId: undefined, route: `mcp ${name.slice(0, 40)}` };
    return { text: toLine(logAndRefuse(error, facts, deps.log)), isError: true };
  }
}

function findTool(name: string, { key }: KeyCall): Tool {
  const found = TOOLS.find((each) => each.name === name);
  if (found === undefined) {
    const known = TOOLS.map((each) => each.name).join(', ');
    throw new RefusedRequest('not_found', `There is no such tool. Tools: ${known}.`);
  }
  if (key.scopes.includes(found.scope)) return found;
  throw new RefusedRequest('forbidden', `The key lacks the scope ${found.scope}.`);
}

const checkers = new Map<Tool, Checker<unknown>>();

const toChecker = ({ schema }: Tool): Checker<unknown> => createChecker(schema);

/** The number of faults in an error, and the characters of each: enough to mend a call. */
const [FAULTS_MAX, FAULT_MAX_CHARS] = [4, 1_200];

function toLine({ message, details }: RefusedRequest): string {
  if (details.length === 0) return message;
  const faults = details.slice(0, FAULTS_MAX).map(({ path, message: fault }) => {
    return `${path.slice(1) || 'arguments'}: ${fault.replace(/\.$/, '')}`.slice(0, FAULT_MAX_CHARS);
  });
  const more = details.length - faults.length;
  return `${faults.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`.replaceAll(/\s+/g, ' ');
}
