import { DEEDS } from '#warehouse/events-table.ts';
import type { ReportStatement } from '../ports.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { instant } from '../query/sql/rows.ts';
import { LATE_MAX_MS, type News, type NewsRow, toEventNews } from './news.ts';
import type { NewsSources } from './ports.ts';

/** So many of each site are looked at: the newest. */
export const NEWEST_MAX = 500;

/** The news of events that the warehouse has, accepted since then. Throws when it does not answer. */
export async function findStoredNews(
  { select }: Pick<NewsSources, 'select'>,
  siteIds: readonly string[],
  since: number,
): Promise<News[]> {
  const rows = await select<StoredRow>(toStatement(siteIds, since));
  return rows.flatMap((row) => toEventNews(toNewsRow(row)) ?? []);
}

/** Instants come as texts: they are wider than a number of JSON is sure to be. */
type StoredRow = Omit<NewsRow, 'occurred_at' | 'accepted_at' | 'bot_class'> & {
  readonly occurred: string;
  readonly accepted: string;
};

function toNewsRow({ occurred, accepted, ...row }: StoredRow): NewsRow {
  return { ...row, occurred_at: Number(occurred), accepted_at: Number(accepted) };
}

function toStatement(siteIds: readonly string[], since: number): ReportStatement {
  const { bind, params } = createBindings();
  const sql = `
    SELECT site_id, toString(event_id) AS event_id, type, toUnixTimestamp64Milli(occurred_at) AS occurred,
      toUnixTimestamp64Milli(accepted_at) AS accepted, name, path, title, source, channel, country, city,
      device, browser
    FROM events
    WHERE site_id IN (${bind(siteIds, 'Array(String)')}) AND accepted_at >= ${instant(since, bind)}
      AND occurred_at >= ${instant(since - LATE_MAX_MS, bind)} AND bot_class = '' AND ${DEEDS}
    ORDER BY accepted DESC, event_id
    LIMIT ${bind(NEWEST_MAX, 'UInt64')} BY site_id`;
  return { sql, params };
}
