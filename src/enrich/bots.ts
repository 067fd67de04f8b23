import crawlerList from 'crawler-user-agents';
import { isbotMatch } from 'isbot';

/** Why something is taken for a bot; both empty for people. */
export type BotVerdict = { readonly botClass: BotClass | ''; readonly reason: string };

/**
 * `ai` and `declared` say so themselves: crawlers and agents of AI services, and all others;
 * `automation` is a browser driven by a program; `data_centre` is known by its address alone.
 */
export type BotClass = 'ai' | 'declared' | 'automation' | 'no_user_agent' | 'data_centre';

const PERSON: BotVerdict = { botClass: '', reason: '' };

const MAX_REASON_LENGTH = 64;

/** Browsers' user agents stay under 400 characters; no more is read of one that is made to be long. */
const MAX_READ_LENGTH = 1_024;

/** Marks of browsers that a program drives, and of those that are none but a program. */
const AUTOMATION =
  /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress|jsdom|happydom/i;

/**
 * Patterns of the package that people's own programs match: a build of Android, the browser inside
 * Facebook's app, editors that show pages, a maker of apps from sites.
 */
const OF_PEOPLE = /^(?:AP3A|MetaIAB|Code\\|Trae\\|Fluid$)/;

/** Crawlers of AI services, as their owners say, that the package has as others or not at all. */
const FURTHER_AI = { pattern: 'Amazonbot|Applebot-Extended|Grok-DeepSearch|GrokBot|xAI-Grok' };

/** Its types leave the tags out. */
const crawlers: readonly { readonly pattern: string; readonly tags?: readonly string[] }[] =
  crawlerList;
const listed = crawlers.filter(({ pattern }) => !OF_PEOPLE.test(pattern));
const LISTED = anyOf(listed);
const OF_AI = anyOf([...listed.filter(({ tags }) => tags?.includes('ai-crawler')), FURTHER_AI]);

/**
 * Whether a user agent is a bot's, and what in it says so.
 *
 * - Shape: `reason` is the bot's name ("Googlebot", "GPTBot"), or says that there was none.
 * - Source: the packages crawler-user-agents, which knows names, and isbot, which knows the forms
 *   of those who declare themselves.
 */
export function findBot(userAgent: string | undefined): BotVerdict {
  const text = userAgent?.slice(0, MAX_READ_LENGTH).trim();
  if (!text) return { botClass: 'no_user_agent', reason: 'no user agent' };
  const automation = AUTOMATION.exec(text)?.[0];
  if (automation) return { botClass: 'automation', reason: widenToName(text, automation) };
  const ofAi = OF_AI.exec(text)?.[0];
  if (ofAi) return { botClass: 'ai', reason: widenToName(text, ofAi) };
  const declared = LISTED.exec(text)?.[0] ?? isbotMatch(text);
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
  return name.trim().slice(0, MAX_REASON_LENGTH);
}

function anyOf(entries: readonly { readonly pattern: string }[]): RegExp {
  return new RegExp(entries.map(({ pattern }) => `(?:${pattern})`).join('|'));
}
