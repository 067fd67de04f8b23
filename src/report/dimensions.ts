import type { DimensionName } from '#contract/reports/catalog.ts';
import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE } from '#domain/row-labels.ts';
import { channelOfCostSql, channelSql } from './channel-sql.ts';
import {
  type Bind,
  type Definition,
  event,
  named,
  payment,
  time,
  type ValueScope,
  visit,
  visitor,
  zoneSql,
} from './dimension.ts';

/** SQL for the source of a row of `visits`, by display name: `Google`, `Hacker News`, `Direct`. */
export const SOURCE = named(VISIT.source, 'Direct');

/** What a cost has of its own: the same as the visits that it paid for. */
const OF_COSTS = {
  campaign: { ofCosts: named('campaign') },
  channel: { ofCosts: (bind: Bind, { site }: ValueScope) => channelOfCostSql(site, bind) },
  source: { ofCosts: named('source', 'Direct') },
};

/** Every dimension by its name, except custom parameters (`event:props:NAME`). Each has a row in docs/metrics.md. */
export const DIMENSION_TABLE = {
  /** Name of the bot (`GPTBot`); `(none)` for people. A query that names it counts bots too. */
  'visit:bot': visit(named(VISIT.bot_reason), { tellsBots: true }),
  /** Class of the bot; `(none)` for people. A query that names it counts bots too. */
  'visit:bot_class': visit(named(VISIT.bot_class), { tellsBots: true }),
  /** Browser (`Firefox`); `(none)` if unknown. */
  'visit:browser': visit(named(VISIT.browser)),
  /** Browser with version, if known (`Chrome 146`); `(none)` if unknown. */
  'visit:browser_version': visit(
    named(`trimRight(concat(${VISIT.browser}, ' ', ${VISIT.browser_version}))`),
  ),
  /** Campaign of the visit (`utm_campaign`); `(none)` without one. */
  'visit:campaign': visit(named(VISIT.campaign), OF_COSTS.campaign),
  /** Channel of the visit (docs/tracking.md). The site's custom channels come first. */
  'visit:channel': visit((bind, { site }) => channelSql(site, bind), OF_COSTS.channel),
  /** City of the visitor; `(none)` if unknown. */
  'visit:city': visit(named(VISIT.city)),
  /** Parameter name of the visit's click id (`gclid`); `(none)` without one. */
  'visit:click_id': visit(named(VISIT.click_id)),
  /** Link or ad variant (`utm_content`); `(none)` without one. */
  'visit:content': visit(named(VISIT.content)),
  /** Country of the visitor, as an ISO 3166-1 code (`DE`); `(none)` if unknown. */
  'visit:country': visit(named(VISIT.country)),
  /** Country of the visitor, by its English name (`Germany`); `(none)` if unknown. */
  'visit:country_name': visit(countryNameSql),
  /** Device of the visitor: `desktop`, `mobile`, `tablet` or `tv`; `(none)` if unknown. */
  'visit:device': visit(named(VISIT.device)),
  /** Path of the first page of the visit; `(none)` for a visit without a pageview. */
  'visit:entry_page': visit(named(VISIT.entry_page)),
  /** Path of the last page of the visit; `(none)` for a visit without a pageview. */
  'visit:exit_page': visit(named(VISIT.exit_page)),
  /** Browser language (`de-DE`); `(none)` if unknown. */
  'visit:language': visit(named(VISIT.language)),
  /** Medium of the visit: `email`, `cpc`, `referral`; `(none)` without one. */
  'visit:medium': visit(named(VISIT.medium), { ofCosts: named('medium') }),
  /** Operating system (`Windows`); `(none)` if unknown. */
  'visit:os': visit(named(VISIT.os)),
  /** Operating system with version, if known (`iOS 26`); `(none)` if unknown. */
  'visit:os_version': visit(named(`trimRight(concat(${VISIT.os}, ' ', ${VISIT.os_version}))`)),
  /** Referring URL, as the browser sent it; `(none)` without one. */
  'visit:referrer': visit(named(VISIT.referrer)),
  /** Region of the visitor (`Bavaria`); `(none)` if unknown. */
  'visit:region': visit(named(VISIT.region)),
  /**
   * Width of the visitor's screen, in ranges of CSS pixels; `(none)` if unknown.
   *
   * - Why these ranges: phones are below 576 px, tablets below 992 px, laptops below 1,440 px.
   */
  'visit:screen_size': visit(`transform(
    arrayCount(width -> toUInt16OrZero(${VISIT.screen_width}) >= width, [1, 576, 992, 1440]),
    [1, 2, 3, 4], ['under 576 px', '576–991 px', '992–1439 px', 'from 1440 px'], '${NONE}')`),
  /** Source of the visit, by display name: `Google`, `Hacker News`, `Direct`. */
  'visit:source': visit(SOURCE, OF_COSTS.source),
  /** Search term or paid keyword (`utm_term`); `(none)` without one. */
  'visit:term': visit(named(VISIT.term)),
  /** Month of the visitor's first visit, as its first day: `2026-11-01`. */
  'visitor:cohort_month': visitor(
    (bind, { period }) =>
      `toString(toStartOfMonth(visit_started_at, ${zoneSql(period.timeZone, bind)}))`,
  ),
  /** Week of the visitor's first visit, as its Monday: `2026-11-16`. */
  'visitor:cohort_week': visitor(
    (bind, { period }) => `toString(toMonday(visit_started_at, ${zoneSql(period.timeZone, bind)}))`,
  ),
  /** Campaign of the visitor's first visit ever. */
  'visitor:first_campaign': visitor(named(VISIT.campaign), OF_COSTS.campaign),
  /** Channel of the visitor's first visit ever. */
  'visitor:first_channel': visitor((bind, { site }) => channelSql(site, bind), OF_COSTS.channel),
  /** Source of the visitor's first visit ever. */
  'visitor:first_source': visitor(SOURCE, OF_COSTS.source),
  /** Name of the goal. */
  'event:goal': event(`if(type = 'goal', toString(name), '${NONE}')`, { only: "type = 'goal'" }),
  /** Address of the file that was downloaded. */
  'event:download': event(targetOf('download'), { only: "type = 'download'" }),
  /** Address of the link that was followed to another site. */
  'event:outbound': event(targetOf('outbound'), { only: "type = 'outbound'" }),
  /** Host of the page of the event. */
  'event:hostname': event(named('toString(hostname)'), { only: "hostname != ''" }),
  /** Path of the page of the event. */
  'event:page': event(named('path'), { only: "path != ''" }),
  /** Names of the custom parameters of the event: an event is in the row of each of its own. */
  'event:property': event('toString(arrayJoin(mapKeys(props)))', {
    only: 'notEmpty(mapKeys(props))',
    isMany: true,
  }),
  /** Title of the page of the pageview. */
  'event:title': event(named('title'), { only: "title != ''" }),
  /**
   * Country of the payer's latest visit up to the payment, as an ISO 3166-1 code; `(none)` if unknown. A refund
   * has the country of its payment.
   */
  'payment:country': payment(VISIT.country, { foundIn: 'last visit' }),
  /** Currency of the payment, as an ISO 4217 code. */
  'payment:currency': payment('toString(currency)'),
  /** Product of the payment; `(none)` without one. */
  'payment:product': payment(named('product')),
  /** Payment provider that reported the payment; `(none)` for our own API. */
  'payment:provider': payment(named('provider')),
  /** Whether the payment is a renewal: `renewal` or `new`. */
  'payment:renewal': payment("if(renewal = 1, 'renewal', 'new')"),
  /** Time in the unit that suits the period: minutes up to 3 hours, hours up to 2 days, days up to 92, else months; for costs, at least days. */
  time: time('any'),
  /** Minutes of the query's time zone: `2026-11-21 14:05:00`. */
  'time:minute': time('minute'),
  /** Hours of the query's time zone: `2026-11-21 14:00:00`. */
  'time:hour': time('hour'),
  /** Days of the query's time zone: `2026-11-21`. */
  'time:day': time('day'),
  /** Weeks beginning on Monday (ISO 8601), written as their first day: `2026-11-16`. */
  'time:week': time('week'),
  /** Calendar months, written as their first day: `2026-11-01`. */
  'time:month': time('month'),
} as const satisfies Readonly<Record<DimensionName, Definition>>;

/** SQL for where events of a type lead. */
function targetOf(type: 'outbound' | 'download'): string {
  return `if(type = '${type}', toString(target), '${NONE}')`;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
let names: ReadonlyMap<string, string> | undefined;

/** SQL for the English name of a visit's country. */
function countryNameSql(bind: Bind): string {
  names ??= listCountries();
  const from = bind([...names.keys(), ''], 'Array(String)');
  const to = bind([...names.values(), NONE], 'Array(String)');
  return `transform(${VISIT.country}, ${from}, ${to})`;
}

/**
 * All countries by ISO 3166-1 code, from the runtime's list (Unicode CLDR).
 *
 * Why only when a query needs them: reading the list would take a tenth of a server's start.
 */
function listCountries(): ReadonlyMap<string, string> {
  const spoken = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return new Map(
    codes.flatMap((code) => {
      const name = spoken.of(code)?.replace(' SAR China', '');
      return name === undefined ? [] : [[code, name]];
    }),
  );
}
