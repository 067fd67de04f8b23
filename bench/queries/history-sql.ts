/** Which history to make. The same values make the same history in every checkout. */
export type History = {
  readonly events: number;
  readonly seed: number;
  /** Milliseconds since 1970; the history ends here. */
  readonly endsAt: number;
};

/** The history: four events per visit, five visits per three visitors, one payment per 25 visits. */
const EVENTS_PER_VISIT = 4;
const VISITS_PER_PAYMENT = 25;
const DAYS = 90;
const PERIOD_MS = DAYS * 86_400_000;
/** Two of forty visitors are one person: 5 % of visitors are joined. */
const VISITORS_PER_PERSON = 40;
/** Several parts per statement, so that rows are made while earlier ones are written. */
const VISITS_PER_STATEMENT = 250_000;
/** Small enough for the engine's memory, whatever the total size. */
const EVENTS_PER_PART = 250_000;

/** Visits in the history, or in that many of its days. */
export function countVisits({ events }: Pick<History, 'events'>, days = DAYS): number {
  return Math.ceil((events / EVENTS_PER_VISIT) * (days / DAYS));
}

function countVisitors(history: History): number {
  return Math.ceil((countVisits(history) * 3) / 5);
}

/** SQL for an integer below `below` that depends only on a visit and a name. */
function chance({ seed }: History, name: string, below: number): string {
  return `cityHash64(visit, '${name}', ${seed}) % ${below}`;
}

/** SQL for one of several strings, earlier ones more often. */
function oneOf(history: History, name: string, texts: readonly string[]): string {
  const list = texts.map((text) => `'${text}'`).join(', ');
  const roll = `(${chance(history, name, 1_000_000)}) / 1e6`;
  return `[${list}][1 + toUInt32(floor(${texts.length} * pow(${roll}, 2)))]`;
}

function visitorId({ seed }: History, visitor: string): string {
  return `concat('visitor-', hex(cityHash64(${visitor}, ${seed})))`;
}

function visitorOfVisit(history: History): string {
  return visitorId(history, `toUInt64(${chance(history, 'visitor', countVisitors(history))})`);
}

function startOfVisit(history: History): string {
  const from = history.endsAt - PERIOD_MS;
  return `toInt64(${from} + floor(visit * ${PERIOD_MS} / ${countVisits(history)}))`;
}

/** SQL for the ids of some of the history's visitors, one per row. */
export function someVisitorsSql(history: History, count: number): string {
  const some = Math.min(count, countVisitors(history));
  return `SELECT ${visitorId(history, 'number')} FROM numbers(${some})`;
}

/** SQL for visitor ids, each with its user id, two visitors per user. */
export function identifiesSql(history: History): string {
  return `
    SELECT ${visitorId(history, 'number')} AS visitor_id,
      concat('user-', toString(intDiv(number, ${VISITORS_PER_PERSON}))) AS user_id
    FROM numbers(${countVisitors(history)}) WHERE number % ${VISITORS_PER_PERSON} < 2`;
}

/**
 * SQL for payments an hour after their visits began: one in twenty refunded a day later, 30 % in dollars.
 *
 * - Units: instants in milliseconds since 1970; `refunded_at` is 0 without a refund.
 */
export function paymentsSql(history: History): string {
  return `
    SELECT concat('payment-', toString(number)) AS transaction_id, ${visitorOfVisit(history)} AS visitor_id,
      ${startOfVisit(history)} + 3600000 AS paid_at,
      if(number % 20 = 0 AND paid_at + 86400000 < ${history.endsAt}, paid_at + 86400000, 0) AS refunded_at,
      500 + ${chance(history, 'amount', 20_000)} AS amount_minor,
      if(number % 10 < 7, 'EUR', 'USD') AS currency, number % 4 = 0 AS renewal
    FROM (SELECT number, number * ${VISITS_PER_PAYMENT} AS visit
      FROM numbers(${Math.floor(countVisits(history) / VISITS_PER_PAYMENT)}))
    WHERE paid_at < ${history.endsAt}`;
}

/** Statements that insert the history's events, in order; `columns` are the table's. */
export function* eventStatements(
  history: History,
  siteId: string,
  columns: ReadonlySet<string>,
): Generator<string> {
  const visits = countVisits(history);
  for (let first = 0; first < visits; first += VISITS_PER_STATEMENT) {
    const count = Math.min(VISITS_PER_STATEMENT, visits - first);
    yield eventsSql({ history, siteId, columns, first, count });
  }
}

/** SQL for a UUID version 7 of an instant, as the script makes them: warehouses read when an event or visit was made. */
function uuidV7(ms: string, salt: string): string {
  const head = `bitOr(bitShiftLeft(toUInt64(${ms}), 16), 0x7000)`;
  const tail = `bitOr(bitShiftRight(cityHash64(visit, ${salt}), 2), 0x8000000000000000)`;
  return `reinterpret(bitOr(bitShiftLeft(toUInt128(${tail}), 64), toUInt128(${head})), 'UUID')`;
}

/** The values of an event's columns, by the column's name where it is inserted as is. */
const VALUE_BY_COLUMN: Readonly<Record<string, string>> = {
  occurred_at: 'fromUnixTimestamp64Milli(started + step * 20000)',
  accepted_at: 'fromUnixTimestamp64Milli(started + step * 20000)',
  event_id: uuidV7('started + step * 20000', 'step'),
  type: "if(is_goal, 'goal', 'pageview')",
  visitor_id: 'visitor',
  visit_id: 'visit_uuid',
  visit_started_at: 'fromUnixTimestamp64Milli(started)',
  name: "if(is_goal, goal, '')",
  hostname: "'bench.example'",
  path: "concat('/page-', toString(toUInt32(floor(400 * pow((cityHash64(visit, step, 'path') % 1000000) / 1e6, 2)))))",
  source: "if(step > 0 OR from_source = 'Direct', '', from_source)",
  medium: "if(step > 0, '', from_medium)",
  campaign: "if(step > 0, '', from_campaign)",
  channel: "if(step > 0, '', from_channel)",
  country: 'in_country',
  browser: 'by_browser',
  os: 'on_os',
  device: 'on_device',
  language: "'en-US'",
  screen_width: '1440',
  batch_id: '1',
};

const SOURCES = [
  ...['Direct', 'Google', 'Facebook', 'Newsletter', 'Hacker News', 'Bing', 'ChatGPT', 'Reddit'],
  ...['YouTube', 'LinkedIn', 'DuckDuckGo', 'GitHub', 'X', 'Instagram', 'Perplexity', 'TikTok'],
];
const CHANNELS = ['Direct', 'Organic Search', 'Paid Search', 'Email', 'Referral', 'Organic Social'];
const COUNTRIES = 'US DE IN GB FR BR CA JP NL ES IT PL SE AU'.split(' ');
const BROWSERS = ['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet', 'Opera'];
const GOALS = ['signup', 'add_to_cart', 'checkout', 'download', 'contact'];
const CAMPAIGNS = [
  '',
  '',
  '',
  ...Array.from({ length: 40 }, (_, index) => `campaign ${index + 1}`),
];

/** Why visits and visitors are made together: otherwise the views run one by one. */
function eventsSql(insert: {
  readonly history: History;
  readonly siteId: string;
  readonly columns: ReadonlySet<string>;
  readonly first: number;
  readonly count: number;
}): string {
  const { history, siteId, columns, first, count } = insert;
  const names = Object.keys(VALUE_BY_COLUMN).map((name) => toColumn(name, columns));
  return `
    INSERT INTO events (site_id, ${names.join(', ')})
    SELECT '${siteId}', ${Object.values(VALUE_BY_COLUMN).join(', ')}
    FROM (
      SELECT number AS visit, arrayJoin(range(1 + ${chance(history, 'length', 2 * EVENTS_PER_VISIT - 1)})) AS step,
        ${visitorOfVisit(history)} AS visitor, ${startOfVisit(history)} AS started,
        ${uuidV7('started', `${history.seed}`)} AS visit_uuid,
        step > 0 AND cityHash64(visit, step, 'goal') % 10 = 0 AS is_goal,
        ${oneOf(history, 'source', SOURCES)} AS from_source,
        ${oneOf(history, 'medium', ['', 'organic', 'cpc', 'email', 'referral', 'social'])} AS from_medium,
        ${oneOf(history, 'campaign', CAMPAIGNS)} AS from_campaign,
        ${oneOf(history, 'channel', CHANNELS)} AS from_channel,
        ${oneOf(history, 'country', COUNTRIES)} AS in_country,
        ${oneOf(history, 'browser', BROWSERS)} AS by_browser,
        ${oneOf(history, 'os', ['Windows', 'iOS', 'Android', 'macOS', 'GNU/Linux'])} AS on_os,
        ${oneOf(history, 'device', ['desktop', 'mobile', 'tablet'])} AS on_device,
        ${oneOf(history, 'goal', GOALS)} AS goal
      FROM numbers(${first}, ${count})
    )
    SETTINGS min_insert_block_size_rows = ${EVENTS_PER_PART}, min_insert_block_size_bytes = 0,
      parallel_view_processing = 1`;
}

/** A value that another checkout stores in another form is inserted as `sent_…`. */
function toColumn(name: string, columns: ReadonlySet<string>): string {
  const found = [`sent_${name}`, name].find((each) => columns.has(each));
  if (found === undefined) throw new Error(`the table of events has no column for ${name}`);
  return found;
}
