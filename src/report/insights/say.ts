import type { InsightKind } from '#contract/reports/insights.ts';
import { countNoun } from '#domain/count-noun.ts';
import { showPath } from '#domain/visit/paths.ts';
import { valuesOf } from './choose.ts';
import type { Candidate } from './find-candidates.ts';
import { nameDay } from './weeks.ts';

/** What sentences need besides the candidate: how money is written, all revenue, and the number of earlier weeks. */
type Saying = {
  readonly money: (amountMinor: number) => string;
  readonly revenue: number;
  readonly weeks: number;
};

/** How visits without a source are called, in channels too. */
const DIRECT = 'Direct';

type Said = Candidate & Saying & { readonly is: number; readonly was: number };

/** The candidate as a sentence. */
export function say(candidate: Candidate, saying: Saying): string {
  const [is, was] = valuesOf(candidate);
  return SENTENCES[candidate.kind]({ ...candidate, ...saying, is, was });
}

const SENTENCES: Readonly<Record<InsightKind, (said: Said) => string>> = {
  visitors: sayVisitors,
  revenue: sayRevenue,
  goal({ value, is, was, weeks }) {
    if (is === 0) {
      return `Nobody reached the goal ${value}. Usually, it is reached ${times(was)} a week.`;
    }
    const reached = `The goal ${value} was reached ${times(is)}`;
    return was === 0
      ? `${reached}, and never in the ${weeks} weeks before.`
      : `${reached}, ${compare(is, was, OFTEN, 'in a usual week')}.`;
  },
  refunds: (said) => sayPaidBack(said, 'refunded'),
  disputes: (said) => sayPaidBack(said, 'disputed'),
  conversion: (said) =>
    `${percent(said.is)} of visitors${whose(said)} became customers (${parts(said)}). Usually, ${percent(said.was)} do.`,
  contrast(said) {
    const [all, others] = [`isitors${whose(said)}`, percent(said.was)];
    if (said.is === 0)
      return `None of the v${all} became a customer, but ${others} of the others did.`;
    const often = compare(said.is, said.was, OFTEN, 'all others');
    return `V${all} became customers ${often}: ${percent(said.is)} against ${others}.`;
  },
  exits: (said) =>
    `${percent(said.is)} of visits to ${showPath(said.value)} ended there (${parts(said)}). Usually, ${percent(said.was)} do.`,
  day_visitors({ value, is, was }) {
    const { weekday, day } = nameDay(value);
    if (is === 0) return `${day} had no visitors. A usual ${weekday} has ${whole(was)}.`;
    if (was === 0) return `${day} had ${nouns(is, 'visitor')}. A usual ${weekday} has none.`;
    return `${day} had ${nouns(is, 'visitor')}, ${compare(is, was, MANY, `a usual ${weekday}`)}.`;
  },
  day_revenue({ value, is, was, now, money }) {
    const { weekday, day } = nameDay(value);
    if (now.count === 0) return `${day} brought no money. A usual ${weekday} brings ${money(was)}.`;
    const brought = `${day} brought ${money(is)} from ${nouns(now.count, 'payment')}`;
    return is <= 0 || was <= 0
      ? `${brought}. A usual ${weekday} brings ${money(was)}.`
      : `${brought}, ${compare(is, was, MUCH, `a usual ${weekday}`)}.`;
  },
};

function sayVisitors(said: Said): string {
  const { dimension, value, is, was, weeks } = said;
  const usually = is > 0 && was > 0 ? `, ${compare(is, was, MANY, 'in a usual week')}` : '';
  const many = is === 0 ? 'no visitors' : nouns(is, 'visitor');
  const others = (verb: string) => (is === 0 ? ` Usually, it ${verb} ${whole(was)} a week.` : '');
  if (dimension === '') return `The site had ${many}${usually}.${others('has')}`;
  if (dimension === 'visit:country') {
    const new_ = was === 0 ? `, after none in the ${weeks} weeks before` : '';
    const all = is === 0 ? ` Usually, ${whole(was)} a week do.` : '';
    return `${capital(many)} came from ${country(value)}${usually}${new_}.${all}`;
  }
  if (was === 0) return `${name(said)} brought ${many}, after none in the ${weeks} weeks before.`;
  return `${name(said)} brought ${many}${usually}.${others('brings')}`;
}

function sayRevenue(said: Said): string {
  const { dimension, is, was, now, money, revenue, weeks } = said;
  const who = dimension === '' ? 'The site' : name(said);
  const [does, usually] = dimension === '' ? ['earned', 'earns'] : ['brought', 'brings'];
  const usual = `Usually, it ${usually} ${money(was)} a week.`;
  if (now.count === 0) return `${who} ${does} no money. ${usual}`;
  const from = `from ${nouns(now.count, 'payment')}`;
  if (said.usual.count === 0) {
    return `${who} ${does} its first money in ${weeks + 1} weeks: ${money(is)} ${from}.`;
  }
  if (is <= 0 || was <= 0) return `${who} ${does} ${money(is)} ${from}. ${usual}`;
  const share =
    dimension === '' || is > revenue ? '' : `${percent(is / revenue)} of all revenue and `;
  return `${who} ${does} ${money(is)} ${from}, ${share}${compare(is, was, MUCH, 'in a usual week')}.`;
}

function sayPaidBack({ is, was, money, weeks }: Said, done: string): string {
  if (was === 0) return `${money(is)} was ${done}, after nothing in the ${weeks} weeks before.`;
  return `${money(is)} was ${done}, ${compare(is, was, MUCH, 'in a usual week')}.`;
}

/** What is compared: how much of it is the same, more, and less. */
type Words = readonly [same: string, more: string, less: string];
const MANY: Words = ['many', 'more', 'fewer'];
const MUCH: Words = ['much', 'more', 'less'];
const OFTEN: Words = ['often', 'more often', 'less often'];

/** `twice as many as in a usual week`, `38% fewer than in a usual week`; both values are above 0. */
function compare(is: number, was: number, [same, more, less]: Words, other: string): string {
  const ratio = is / was;
  const times = timesOf(ratio);
  if (times !== undefined) return `${times} as ${same} as ${other}`;
  return `${percent(Math.abs(ratio - 1), 0)} ${ratio > 1 ? more : less} than ${other}`;
}

const NUMBERS = ['twice', 'three times', 'four times', 'five times', 'six times'];

/** A ratio in words; undefined where a percentage says it better. */
function timesOf(ratio: number): string | undefined {
  if (ratio >= 0.45 && ratio <= 0.55) return 'half';
  if (ratio < 1.9) return undefined;
  const near = Math.abs(ratio - Math.round(ratio)) <= 0.1 * Math.min(2, ratio / 2);
  if (near && ratio < 6.5) return NUMBERS[Math.round(ratio) - 2];
  return `${ratio < 10 ? ratio.toFixed(1) : whole(ratio)} times`;
}

/** The source, channel, campaign or country at the beginning of a sentence. */
function name({ dimension, value }: Candidate): string {
  if (dimension === 'visit:campaign') return `The campaign ${value}`;
  return value === DIRECT ? 'Direct traffic' : value;
}

/** Whose buying a rate is about, after `visitors`. */
function whose({ dimension, value }: Candidate): string {
  if (dimension === 'visit:country') return ` from ${country(value)}`;
  if (dimension === 'visit:device') return ` on ${DEVICES[value] ?? value}`;
  return dimension === 'visit:entry_page' ? ` who entered on ${showPath(value)}` : '';
}

const DEVICES: Readonly<Record<string, string>> = {
  ...{ desktop: 'desktops', mobile: 'phones', tablet: 'tablets', tv: 'TVs' },
};

/** Names with an article: the United States, the Netherlands, the Cayman Islands. */
const WITH_ARTICLE =
  /^(?:United |Dominican R|Central African|Netherlands|Philippines|Bahamas|Gambia|Maldives|Comoros|Seychelles)|Islands$/;

function country(code: string): string {
  const shown = COUNTRIES.of(code) ?? code;
  return WITH_ARTICLE.test(shown) ? `the ${shown}` : shown;
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function times(count: number): string {
  return Math.round(count) === 1 ? 'once' : `${whole(count)} times`;
}

function nouns(count: number, one: string): string {
  return countNoun(Math.round(count), one);
}

/** `8.5%`, `61%`; as many digits as say something. */
function percent(share: number, digits = share < 0.1 ? 1 : 0): string {
  return `${(100 * share).toFixed(digits)}%`;
}

/** `12 of 340`: what a rate is made of, as the figures that a sentence opens have it. */
function parts({ now }: Said): string {
  return `${whole(now.count)} of ${whole(now.of)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
