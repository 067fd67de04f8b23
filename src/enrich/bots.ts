import { isbotMatch } from 'isbot';

/** Why something is taken for a bot; both empty for people. */
export type BotVerdict = { readonly botClass: BotClass | ''; readonly reason: string };

/** `declared` says so itself, `automation` is a browser driven by a program. */
export type BotClass = 'declared' | 'automation' | 'no_user_agent';

const PERSON: BotVerdict = { botClass: '', reason: '' };

const MAX_REASON_LENGTH = 64;

/** Browsers' user agents stay under 400 characters; no more is read of one that is made to be long. */
const MAX_READ_LENGTH = 1_024;

/** Marks that browsers leave in their user agent while a program drives them. */
const AUTOMATION = /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress/i;

/**
 * Whether a user agent is a bot's, and what in it says so.
 *
 * - Shape: `reason` is the text that gave it away ("Googlebot"), or says that there was none.
 * - Source: the package isbot for those who declare themselves.
 */
export function findBot(userAgent: string | undefined): BotVerdict {
  const text = userAgent?.slice(0, MAX_READ_LENGTH).trim();
  if (!text) return { botClass: 'no_user_agent', reason: 'no user agent' };
  const automation = AUTOMATION.exec(text)?.[0];
  if (automation) return { botClass: 'automation', reason: widenToName(text, automation) };
  const declared = isbotMatch(text);
  if (declared === null) return PERSON;
  return { botClass: 'declared', reason: widenToName(text, declared) };
}

/** The whole name around the mark, without a version: a mark may be as short as "bot". */
function widenToName(userAgent: string, mark: string): string {
  const start = userAgent.indexOf(mark);
  const end = start + mark.length;
  const before = /[\w.-]*$/.exec(userAgent.slice(Math.max(0, start - MAX_REASON_LENGTH), start));
  const after = /^[\w.-]*/.exec(userAgent.slice(end, end + MAX_REASON_LENGTH));
  const [name = mark] = `${before}${mark}${after}`.split('/').filter((part) => part !== '');
  return name.slice(0, MAX_REASON_LENGTH);
}
