import crawlerList from 'crawler-user-agents';
import { isbotMatch } from 'isbot';
import { readFactTable } from './fact-table.ts';
import { findRemarks } from './find-remarks.ts';

/** Whether a client is a bot, and why. Both fields are empty if it is not. */
export type BotVerdict = { readonly botClass: BotClass | ''; readonly reason: string };

/**
 * Classes of bots. `ai`: self-declared crawlers and assistants of AI services. `declared`: other
 * self-declared bots. `automation`: automated browsers. `data_centre`: detected by IP address alone.
 */
type BotClass = 'ai' | 'declared' | 'automation' | 'no_user_agent' | 'data_centre';

const NOT_A_BOT: BotVerdict = { botClass: '', reason: '' };

const MAX_REASON_LENGTH = 64;

/** Limits the cost of malicious user agents. Browsers stay under 400 characters. */
const MAX_READ_LENGTH = 1_024;

/** Names of automated browsers and of programs that imitate one. */
const AUTOMATION =
  /headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress|jsdom|happydom/i;

/**
 * Patterns of the package that match real users: an Android build, the browser in Facebook's app,
 * editors with a preview, a tool that turns sites into apps.
 */
const FALSE_POSITIVES = /^(?:AP3A|MetaIAB|Code\\|Trae\\|Fluid$)/;

const further = readFactTable('further-bots.csv', ['pattern', 'class', 'owner']);

/** The package's types lack `tags`. */
type Crawler = {
  readonly pattern: string;
  readonly instances: readonly string[];
  readonly tags?: readonly string[];
};
const crawlers: readonly Crawler[] = crawlerList;
const listed = crawlers.filter(({ pattern }) => !FALSE_POSITIVES.test(pattern));
const LISTED = anyOf(listed);
const OF_AI = anyOf([
  ...listed.filter(({ tags }) => tags?.includes('ai-crawler')),
  ...further.filter((bot) => bot.class === 'ai'),
]);

/** What a bot calls itself where old browsers had `MSIE`. */
const SELF_NAMED = /(?<=[;(] ?compatible; ?)(?!MSIE|CE-HTML|ANTGalio)[\w.-]+/;

/**
 * Signs of a bot in an otherwise complete browser's user agent: a bot's name as a separate product, or
 * a contact URL or address.
 *
 * - Why only package names that were seen within browser user agents: the others are also common words
 *   and names of apps, which occur in real users' user agents.
 */
const IN_BROWSERS = [
  asProduct(AUTOMATION.source, 'i'),
  asProduct(`(?:${anyOf([...listed.filter(isSeenInBrowsers), ...further]).source})(?![a-z])`),
  asProduct(
    String.raw`(?!cubot)[\w.-]*(?:(?<!ro)bot|crawl|crawler|spider|scraper|fetcher|synthetics|healthcheck(?:er|s)?)[\d.]*(?=[/;,)\s]|$)`,
    'i',
  ),
  SELF_NAMED,
  /(?<=^\([^()]*\); ?)[\w.-]+(?=[^()]*\))/, // Appended to the engine’s comment.
  /\b(?!Chrome|Safari)[\w.-]+\/[\w.]+[ ;,(]*(?=\+https?:)/,
  /https?(?=:)(?<=\+https?|\).*)|[\w.-]+@[a-z][\w-]+\.[a-z]/,
];

/**
 * Decides whether a user agent belongs to a bot.
 *
 * - Shape: `reason` is the bot's name ("Googlebot", "GPTBot"), or `no user agent`.
 * - Source: the packages crawler-user-agents, which lists names, and isbot, which knows the patterns of
 *   self-declared bots.
 */
export function findBot(userAgent: string | undefined): BotVerdict {
  const text = userAgent?.slice(0, MAX_READ_LENGTH).trim();
  if (!text) return { botClass: 'no_user_agent', reason: 'no user agent' };
  const remarks = findRemarks(text);
  const mark = remarks === undefined ? findMark(text) : findMarkInBrowser(remarks);
  if (mark === undefined) return NOT_A_BOT;
  if (AUTOMATION.test(mark)) return { botClass: 'automation', reason: widenToName(text, mark) };
  const ofAi = OF_AI.exec(remarks ?? text)?.[0];
  if (ofAi) return { botClass: 'ai', reason: widenToName(text, ofAi) };
  return { botClass: 'declared', reason: widenToName(text, mark) };
}

function findMark(text: string): string | undefined {
  const pattern = [AUTOMATION, OF_AI, LISTED].find((it) => it.test(text));
  return pattern?.exec(text)?.[0] ?? isbotMatch(text) ?? undefined;
}

function findMarkInBrowser(remarks: string): string | undefined {
  return IN_BROWSERS.find((it) => it.test(remarks))
    ?.exec(remarks)?.[0]
    .trim();
}

function isSeenInBrowsers({ pattern, instances }: Crawler): boolean {
  const remarks = instances.map(findRemarks).filter((it) => it !== undefined);
  return remarks.some((it) => asProduct(`(?:${pattern})(?![a-z])`).test(it));
}

/** Matches names only at the start of a product, never inside another name. */
function asProduct(names: string, flags = ''): RegExp {
  return new RegExp(String.raw`(?:(?<![\w./-])|(?= ))(?:${names})`, flags);
}

/** The whole name around a match, without the version. A match may be as short as "bot". */
function widenToName(userAgent: string, mark: string): string {
  const start = userAgent.indexOf(mark);
  const end = start + mark.length;
  const before = /[\w.-]*$/.exec(userAgent.slice(Math.max(0, start - MAX_REASON_LENGTH), start));
  const after = /^[\w.-]*/.exec(userAgent.slice(end, end + MAX_REASON_LENGTH));
  const [name = mark] = `${before}${mark}${after}`.split('/').filter((part) => part !== '');
  const isNoName = /^(?:mozilla|https?|\(.*)$/i.test(name);
  const named = (isNoName && SELF_NAMED.exec(userAgent)?.[0]) || name;
  return named.trim().slice(0, MAX_REASON_LENGTH);
}

function anyOf(entries: readonly { readonly pattern: string }[]): RegExp {
  return new RegExp(entries.map(({ pattern }) => pattern).join('|')); // With a group each, it takes 60 times as long.
}
