import { isbotMatch } from 'isbot';

/** Why something is taken for a bot; both empty for people. */
export type BotVerdict = { readonly botClass: BotClass | ''; readonly reason: string };

/** `declared` says so itself, `automation` is a browser driven by a program. */
export type BotClass = 'declared' | 'automation' | 'no_user_agent';

const PERSON: BotVerdict = { botClass: '', reason: '' };

const MAX_REASON_LENGTH = 64;

/** Marks that browsers leave in their user agent while a program drives them. */
const AUTOMATION = /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress/i;

/**
 * Whether a user agent is a bot's, and what in it says so.
 *
 * - Shape: `reason` is the text that gave it away ("Googlebot"), or says that there was none.
 * - Source: the package isbot for those who declare themselves.
 */
export function findBot(userAgent: string | undefined): BotVerdict {
  if (!userAgent?.trim()) return { botClass: 'no_user_agent', reason: 'no user agent' };
  const automation = AUTOMATION.exec(userAgent)?.[0];
  if (automation) return { botClass: 'automation', reason: widenToName(userAgent, automation) };
  const declared = isbotMatch(userAgent);
  if (declared === null) return PERSON;
  return { botClass: 'declared', reason: widenToName(userAgent, declared) };
}

/** The whole name around the mark, without a version: a mark may be as short as "bot". */
function widenToName(userAgent: string, mark: string): string {
  const end = userAgent.indexOf(mark) + mark.length;
  const before = /[\w.-]*$/.exec(userAgent.slice(0, end - mark.length))?.[0] ?? '';
  const after = /^[\w.-]*/.exec(userAgent.slice(end))?.[0] ?? '';
  const name = (before + mark + after).split('/').find((part) => part !== '') ?? mark;
  return name.slice(0, MAX_REASON_LENGTH);
}
