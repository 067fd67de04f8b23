import type { Warehouse } from '#warehouse/client.ts';

/** How much history to make. The same seed makes the same history. */
export type History = {
  readonly siteId: string;
  readonly events: number;
  readonly seed: number;
  /** Milliseconds since 1970; the history ends here. */
  readonly endsAt: number;
};

/** Of the history: four events to a visit, five visits to three visitors, a payment to 25 visits. */
const EVENTS_PER_VISIT = 4;
const VISITS_PER_PAYMENT = 25;
const DAYS = 90;
const PERIOD_MS = DAYS * 86_400_000;
/** Many parts to a statement, so that rows are made while those before them are written. */
const VISITS_PER_STATEMENT = 1_000_000;
/** Small enough that the engine stays under its memory, whatever the size of the whole. */
const EVENTS_PER_PART = 250_000;
/** Visits and visitors are made of events at once, not one after the other. */
const IN_PARTS = `SETTINGS min_insert_block_size_rows = ${EVENTS_PER_PART}, min_insert_block_size_bytes = 0,
      parallel_view_processing = 1`;

/** Fills the warehouse's own tables inside the engine; resolves with the events made, and how fast. */
export async function makeHistory(
  warehouse: Warehouse,
  history: History,
): Promise<{ readonly events: number; readonly perSecond: number }> {
  const visits = Math.ceil(history.events / EVENTS_PER_VISIT);
  const startedAt = performance.now();
  for (let first = 0; first < visits; first += VISITS_PER_STATEMENT) {
    const count = Math.min(VISITS_PER_STATEMENT, visits - first);
    await warehouse.command({ sql: eventsSql(history, visits, { first, count }) });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await warehouse.command({ sql: paymentsSql(history, visits) });
  const [row] = await warehouse.select<{ n: string }>({ sql: 'SELECT count() AS n FROM events' });
  const events = Number(row?.n);
  return { events, perSecond: Math.round(events / seconds) };
}

/** SQL of a whole number below `below` that depends on a visit and a name only. */
function chance({ seed }: History, name: string, below: number, visit = 'visit'): string {
  return `cityHash64(${visit}, '${name}', ${seed}) % ${below}`;
}

/** SQL of one of several texts, the earlier ones more often. */
function oneOf(history: History, name: string, texts: readonly string[]): string {
  const list = texts.map((text) => `'${text}'`).join(', ');
  const roll = `(${chance(history, name, 1_000_000)}) / 1e6`;
  return `[${list}][1 + toUInt32(floor(${texts.length} * pow(${roll}, 2)))]`;
}

function visitorOf(history: History, visits: number, visit: string): string {
  return `concat('visitor-', hex(cityHash64(${chance(history, 'visitor', Math.ceil((visits * 3) / 5), visit)}, ${history.seed})))`;
}

function startOf(history: History, visits: number, visit: string): string {
  const from = history.endsAt - PERIOD_MS;
  return `toInt64(${from} + floor(${visit} * ${PERIOD_MS} / ${visits}))`;
}

const SOURCES = [
  ...['Direct', 'Google', 'Facebook', 'Newsletter', 'Hacker News', 'Bing', 'ChatGPT', 'Reddit'],
  ...['YouTube', 'LinkedIn', 'DuckDuckGo', 'GitHub', 'X', 'Instagram', 'Perplexity', 'TikTok'],
];
const CHANNELS = ['Direct', 'Organic Search', 'Paid Search', 'Email', 'Referral', 'Organic Social'];
const COUNTRIES = [
  'US',
  'DE',
  'IN',
  'GB',
  'FR',
  'BR',
  'CA',
  'JP',
  'NL',
  'ES',
  'IT',
  'PL',
  'SE',
  'AU',
];
const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet', 'Opera'];
const GOALS = ['signup', 'add_to_cart', 'checkout', 'download', 'contact'];

function eventsSql(
  history: History,
  visits: number,
  { first, count }: { readonly first: number; readonly count: number },
): string {
  const numbered = (prefix: string, n: number) =>
    Array.from({ length: n }, (_, index) => `${prefix}${index + 1}`);
  return `
    INSERT INTO events (site_id, occurred_at, sent_accepted_at, sent_event_id, type, visitor_id, visit_id,
      visit_started_at, name, hostname, path, sent_source, sent_medium, sent_campaign, sent_channel,
      referrer, sent_country, sent_browser, sent_os, sent_device, sent_language, sent_screen_width, batch_id)
    SELECT '${history.siteId}', fromUnixTimestamp64Milli(started + step * 20000) AS at, at,
      generateUUIDv7(), if(is_goal, 'goal', 'pageview'), visitor, visit_uuid,
      fromUnixTimestamp64Milli(started), if(is_goal, goal, ''), 'example.com',
      concat('/page-', toString(toUInt32(floor(400 * pow((cityHash64(visit, step, 'path') % 1000000) / 1e6, 2))))),
      if(step > 0 OR source = 'Direct', '', source), if(step > 0, '', medium),
      if(step > 0, '', campaign), if(step > 0, '', channel), '', country, browser, os, device, 'en-US',
      1440, 1
    FROM (
      SELECT number AS visit, arrayJoin(range(1 + ${chance(history, 'length', 2 * EVENTS_PER_VISIT - 1)})) AS step,
        ${visitorOf(history, visits, 'visit')} AS visitor,
        ${startOf(history, visits, 'visit')} AS started,
        toUUID(UUIDNumToString(sipHash128(visit, ${history.seed}))) AS visit_uuid,
        step > 0 AND cityHash64(visit, step, 'goal') % 10 = 0 AS is_goal,
        ${oneOf(history, 'source', SOURCES)} AS source,
        ${oneOf(history, 'medium', ['', 'organic', 'cpc', 'email', 'referral', 'social'])} AS medium,
        ${oneOf(history, 'campaign', ['', '', '', ...numbered('campaign ', 40)])} AS campaign,
        ${oneOf(history, 'channel', CHANNELS)} AS channel,
        ${oneOf(history, 'country', COUNTRIES)} AS country,
        ${oneOf(history, 'browser', BROWSERS)} AS browser,
        ${oneOf(history, 'os', ['Windows', 'iOS', 'Android', 'macOS', 'GNU/Linux'])} AS os,
        ${oneOf(history, 'device', ['desktop', 'mobile', 'tablet'])} AS device,
        ${oneOf(history, 'goal', GOALS)} AS goal
      FROM numbers(${first}, ${count})
    )
    ${IN_PARTS}`;
}

/** A payment an hour after its visit began, one in twenty refunded a day later. */
function paymentsSql(history: History, visits: number): string {
  return `
    INSERT INTO payments (site_id, kind, transaction_id, original_transaction_id, occurred_at, paid_at,
      amount_minor, currency, visitor_id, renewal, version)
    SELECT '${history.siteId}', kind, concat('payment-', toString(number)),
      if(kind = 'refund', concat('payment-', toString(number)), ''),
      fromUnixTimestamp64Milli(paid + if(kind = 'refund', 86400000, 0)), fromUnixTimestamp64Milli(paid),
      amount, 'EUR', visitor, number % 4 = 0, 1
    FROM (
      SELECT number, number * ${VISITS_PER_PAYMENT} AS visit,
        arrayJoin(if(number % 20 = 0, ['payment', 'refund'], ['payment'])) AS kind,
        ${startOf(history, visits, 'visit')} + 3600000 AS paid,
        ${visitorOf(history, visits, 'visit')} AS visitor,
        500 + ${chance(history, 'amount', 20_000)} AS amount
      FROM numbers(${Math.floor(visits / VISITS_PER_PAYMENT)})
    )`;
}
