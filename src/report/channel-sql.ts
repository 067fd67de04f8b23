import { VISIT } from '#contract/rows/visit-row.ts';
import type {
  ChannelField,
  ChannelOp,
  ChannelTest,
} from '#domain/acquisition/channels/site-channel.ts';
import { type Bind, named } from './dimension.ts';
import type { ReportSite } from './ports.ts';

/** SQL for a visit's default channel, as determined when it was recorded. */
const DEFAULT_CHANNEL = named(VISIT.channel, 'Direct');

/**
 * SQL for a visit's channel over a row of `visits`: the first of the site's own rules that matches, else the default
 * channel.
 *
 * - Why at query time: new and changed rules then apply to history too.
 */
export function channelSql(site: ReportSite, bind: Bind): string {
  return chosenSql(site, COLUMNS, bind);
}

/** SQL for a cost's channel over a row of `costs`: that of visits with its source, medium and campaign and nothing else. */
export function channelOfCostSql(site: ReportSite, bind: Bind): string {
  return chosenSql(site, COLUMNS_OF_COSTS, bind);
}

type Columns = Readonly<Record<ChannelField, string>>;

function chosenSql({ settings }: ReportSite, columns: Columns, bind: Bind): string {
  const channels = settings?.channels ?? [];
  if (channels.length === 0) return columns.channel;
  const cases = channels.map(
    ({ name, where }) =>
      `${where.map((test) => testSql(test, columns, bind)).join(' AND ')}, ${bind(name, 'String')}`,
  );
  return `multiIf(${cases.join(', ')}, ${columns.channel})`;
}

function testSql({ field, op, value }: ChannelTest, columns: Columns, bind: Bind): string {
  return OPERATORS[op](`lowerUTF8(${columns[field]})`, `lowerUTF8(${bind(value, 'String')})`);
}

const OPERATORS: Readonly<Record<ChannelOp, (known: string, wanted: string) => string>> = {
  is: (known, wanted) => `${known} = ${wanted}`,
  is_not: (known, wanted) => `${known} != ${wanted}`,
  contains: (known, wanted) => `position(${known}, ${wanted}) > 0`,
  contains_not: (known, wanted) => `position(${known}, ${wanted}) = 0`,
  starts_with: (known, wanted) => `startsWith(${known}, ${wanted})`,
  ends_with: (known, wanted) => `endsWith(${known}, ${wanted})`,
};

/** From our own table, like every identifier in a statement. */
const COLUMNS: Columns = {
  source: VISIT.source,
  medium: VISIT.medium,
  campaign: VISIT.campaign,
  term: VISIT.term,
  content: VISIT.content,
  click_id: VISIT.click_id,
  referrer: VISIT.referrer,
  entry_page: VISIT.entry_page,
  channel: DEFAULT_CHANNEL,
};

const COLUMNS_OF_COSTS: Columns = {
  ...{
    source: 'source',
    medium: 'medium',
    campaign: 'campaign',
    channel: named('channel', 'Direct'),
  },
  ...{ term: "''", content: "''", click_id: "''", referrer: "''", entry_page: "''" },
};
