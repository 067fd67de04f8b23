import type { Statement } from './client.ts';
import { DEEDS } from './events-table.ts';
import type { PaidSite } from './find-paid-sites.ts';
import { FIRST_VISIT_COLUMNS } from './payers-first-visits-table.ts';
import { NO_VISIT } from './table-settings.ts';
import { VISIT_DAY } from './visits-table.ts';

/** What one statement may take: the engine is taken for stuck at thirty seconds (watch-statements.ts). */
const LIMITS = 'max_threads = 1, max_execution_time = 25, max_memory_usage = 600000000';

/**
 * The statement that writes the first visits of a parcel of a site's payers into `payers_first_visits`.
 *
 * - Shape: its caller binds `run`, and `parcel` of `parcels`. Of a person's visits the first is the one
 *   that report/sql/touches.ts finds: by people, by `touched_at`, then by id.
 * - Why all in one statement: what is erased while it runs is taken out after it, and what was erased
 *   before it is not found.
 */
export function firstVisitsSql(site: PaidSite): Required<Statement> {
  const rows = payersVisitsSql(site);
  const columns = FIRST_VISIT_COLUMNS.join(', ');
  return {
    sql: `
      INSERT INTO payers_first_visits (run, site_id, person, ${columns}, pages, goal_names)
      SETTINGS async_insert = 0
      SELECT {run:UInt64} AS run, {site:String} AS site_id, person, ${columns}, pages, goal_names
      FROM (
        SELECT * FROM (${rows}) ORDER BY touched_at, visit_id LIMIT 1 BY person
      ) AS first LEFT JOIN (
        SELECT visit_id AS seen_visit, groupUniqArrayIf(path, path != '') AS pages,
          groupUniqArrayIf(name, type = 'goal') AS goal_names
        FROM events
        WHERE site_id = {site:String} AND ${DEEDS} AND visit_id != ${NO_VISIT} AND visit_id IN (
          SELECT argMin(visit_id, (touched_at, visit_id)) FROM (${rows}) GROUP BY person)
        GROUP BY visit_id
      ) AS seen ON visit_id = seen_visit
      SETTINGS ${LIMITS}, do_not_merge_across_partitions_select_final = 1`,
    params: {
      site: site.siteId,
      endsAt: site.endsAt,
      settled: site.days.filter(({ isSettled }) => isSettled).map(({ day }) => day),
      open: site.days.filter(({ isSettled }) => !isSettled).map(({ day }) => day),
    },
  };
}

/** SQL of the visits of the parcel's payers, each with the `person` whose it is. */
function payersVisitsSql(site: PaidSite): string {
  const ofParcel = (person: string) => `${person} % {parcels:UInt64} = {parcel:UInt64}`;
  const isSimple = site.personsVersion === '0';
  const payers = isSimple
    ? `SELECT payer FROM payments FINAL
        WHERE site_id = {site:String} AND visitor_id != '' AND ${ofParcel('payer')}`
    : visitorsOfPayersSql(ofParcel);
  const from = (table: string, days: string) => `
    SELECT ${FIRST_VISIT_COLUMNS.join(', ')} FROM ${table}
    WHERE site_id = {site:String} AND bot_class = ''
      AND visit_started_at < fromUnixTimestamp64Milli({endsAt:Int64}, 'UTC')
      AND toUInt16(${VISIT_DAY}) IN {${days}:Array(UInt16)} AND visitor IN (${payers})`;
  const visits = `${from('settled_visits', 'settled')} UNION ALL ${from('visits FINAL', 'open')}`;
  if (isSimple) return `SELECT *, visitor AS person FROM (${visits})`;
  return `
    SELECT visit.*, if(joined_number != 0, joined_number, visitor) AS person
    FROM (${visits}) AS visit ANY LEFT JOIN (
      SELECT cityHash64(key) AS joined_visitor, cityHash64(person_id) AS joined_number
      FROM persons FINAL WHERE site_id = {site:String} AND kind = 'visitor'
    ) AS whose ON visitor = joined_visitor
    WHERE ${ofParcel('person')}`;
}

/** SQL of all visitors, as numbers, of persons who paid. */
function visitorsOfPayersSql(ofParcel: (person: string) => string): string {
  const payers = `
      SELECT person_id FROM (
        SELECT if(joined_person != '', joined_person, visitor_id) AS person_id
        FROM payments FINAL ANY LEFT JOIN (
          SELECT kind AS joined_kind, key AS joined_key, person_id AS joined_person
          FROM persons FINAL WHERE site_id = {site:String}
        ) AS whose ON if(visitor_id != '', 'visitor', 'transaction') = joined_kind
          AND multiIf(visitor_id != '', visitor_id,
            original_transaction_id != '', original_transaction_id, transaction_id) = joined_key
        WHERE site_id = {site:String}
      ) WHERE person_id != '' AND ${ofParcel('cityHash64(person_id)')}`;
  return `SELECT cityHash64(person_id) FROM (${payers})
      UNION ALL
      SELECT cityHash64(key) FROM persons FINAL
      WHERE site_id = {site:String} AND kind = 'visitor' AND person_id IN (${payers})`;
}
