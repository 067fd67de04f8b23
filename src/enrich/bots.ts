import crawlerList from 'crawler-user-agents';
import { isbotMatch } from 'isbot';
import { readFactTable } from './fact-table.ts';
import { findRemarks } from './find-remarks.ts';

/** Why something is taken for a bot; both empty for people. */
export type BotVerdict = { readonly botClass: BotClass | ''; readonly reason: string };

/**
 * `ai` and `declared` say so themselves: crawlers and assistants of AI services, and all others;
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

const further = readFactTable('further-bots.csv', ['pattern', 'class', 'owner']);

/** Its types leave the tags out. */
type Crawler = {
  readonly pattern: string;
  readonly instances: readonly string[];
  readonly tags?: readonly string[];
};
const crawlers: readonly Crawler[] = crawlerList;
const listed = crawlers.filter(({ pattern }) => !OF_PEOPLE.test(pattern));
const LISTED = anyOf(listed);
const OF_AI = anyOf([
  ...listed.filter(({ tags }) => tags?.includes('ai-crawler')),
  ...further.filter((bot) => bot.class === 'ai'),
]);

/**
 * What makes a bot of a user agent that is otherwise a complete browser's: a name that stands as a
 * product of its own, or an address for complaints.
 *
 * - Why only those of the package's names that it has seen in browsers: others are words and apps'
 *   names too, which stand in the user agents of people.
 */
const IN_BROWSERS = [
  asProduct(AUTOMATION.source, 'i'),
  asProduct(`(?:${anyOf([...listed.filter(isSeenInBrowsers), ...further]).source})(?![a-z])`),
  asProduct(
    String.raw`(?!cubot)[\w.-]*(?:bot|crawl|crawler|spider|scraper|fetcher)[\d.]*(?=[/;,)\s]|$)`,
    'i',
  ),
  /(?<=[;(] ?compatible; ?)(?!MSIE)[\w.-]+/,
  /(?<=^\([^()]*\); ?)[\w.-]+(?=[^()]*\))/, // What is put into the engine’s comment.
  /\b(?!Chrome|Safari)[\w.-]+\/[\w.]+[ ;,(]*(?=\+https?:)/,
  /https?(?=:)(?<=\+https?|\).*)|[\w.-]+@[a-z][\w-]+\.[a-z]/,
];

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
  const remarks = findRemarks(text);
  const mark = remarks === undefined ? findMark(text) : findMarkInBrowser(remarks);
  if (mark === undefined) return PERSON;
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
  const product = asProduct(`(?:${pattern})(?![a-z])`);
  return instances.some((userAgent) => product.test(findRemarks(userAgent) ?? ''));
}

/** Names where a product's may begin: after a blank or a mark, never inside another name. */
function asProduct(names: string, flags = ''): RegExp {
  return new RegExp(String.raw`(?:(?<![\w./-])|(?= ))(?:${names})`, flags);
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
