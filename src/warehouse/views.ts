import { VISITORS_SELECT } from './schema.ts';
import { VISITS_SELECT } from './visits-table.ts';

/** A table that a materialized view fills from `events`. */
export type View = {
  readonly table: string;
  /** What its rows are grouped by, in `events` by the same names. */
  readonly keys: readonly string[];
  /** What grows when the same event is added once more; all else stays as it is. */
  readonly sums: readonly string[];
  /** All of its columns, those that are read out of others left out. */
  readonly columns: readonly string[];
  readonly select: string;
};

/** The tables that views make of `events`. */
export const VIEWS: readonly View[] = [
  {
    table: 'visits',
    keys: ['site_id', 'visit_started_at', 'visit_id'],
    sums: ['events', 'pageviews', 'goals', 'engagement_ms'],
    columns: columnsMadeBy(VISITS_SELECT),
    select: VISITS_SELECT,
  },
  {
    table: 'visitors',
    keys: ['site_id', 'visitor_id'],
    sums: ['pageviews'],
    columns: columnsMadeBy(VISITORS_SELECT),
    select: VISITORS_SELECT,
  },
];

/** The names that a question gives to what it answers: each ends a line or stands before a comma. */
function columnsMadeBy(select: string): string[] {
  const [answers = ''] = select.split('FROM events');
  return [...answers.matchAll(/ AS (\w+)(?:,|\n|$)/g)].map((match) => match[1] ?? '');
}
