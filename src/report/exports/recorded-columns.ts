import type { EXPORT_COLUMNS } from '#contract/exports.ts';
import { NO_VISIT, VISIT } from '#contract/rows/visit-row.ts';
import { findDimension } from '../catalog.ts';
import { type Bind, type ValueScope, valueSql } from '../dimension.ts';

/** Tables that are exported as the warehouse has them, with the instant that decides about the period. */
export const RECORDED = {
  events: {
    ...{ table: 'events', at: 'occurred_at', id: 'event_id' },
    ...{ isOfPeople: "bot_class = ''", sqlOf: eventSql },
  },
  visits: {
    ...{ table: 'visits FINAL', at: 'visit_started_at', id: 'visit_id' },
    ...{ isOfPeople: `${VISIT.bot_class} = ''`, sqlOf: visitSql },
  },
} as const;

type OfEvents = keyof (typeof EXPORT_COLUMNS)['events'];

const ofType = (type: string, column: string) => `if(type = '${type}', toString(${column}), '')`;

/** What a column of an event is, where not simply the column of the same name. */
const OF_EVENTS: { readonly [Name in OfEvents]?: string } = {
  event_id: 'toString(event_id)',
  service_visitor_id: 'visitor_id',
  visit_id: `if(visit_id = ${NO_VISIT}, '', toString(visit_id))`,
  page: 'path',
  goal: ofType('goal', 'name'),
  outbound: ofType('outbound', 'target'),
  download: ofType('download', 'target'),
  browser_version: "trimRight(concat(browser, ' ', browser_version))",
  os_version: "trimRight(concat(os, ' ', os_version))",
  engagement_time: 'engagement_ms / 1000',
  bot: 'bot_reason',
};

/** SQL for a column of an event. Traits of identify events are personal. */
function eventSql(name: string, _scope: ValueScope, _bind: Bind, isPersonal: boolean): string {
  if (name === 'props' && !isPersonal)
    return "if(type = 'identify', mapFilter((k, v) -> 0, props), props)";
  return OF_EVENTS[name as OfEvents] ?? name;
}

const OF_VISITS: Readonly<Record<string, string>> = {
  visit_id: 'toString(visit_id)',
  service_visitor_id: 'visitor_id',
  last_event_at: `fromUnixTimestamp64Milli(${VISIT.extendedUntil}, 'UTC')`,
  visit_duration: `${VISIT.durationMs} / 1000`,
  engagement_time: 'engagement_ms / 1000',
};

/** SQL for a column of a visit: a dimension, as queries have it, or else a value of its own. */
function visitSql(name: string, scope: ValueScope, bind: Bind): string {
  const dimension = findDimension(`visit:${name}`);
  if (dimension?.of === 'visit') return `toString(${valueSql(dimension, scope, bind)})`;
  return OF_VISITS[name] ?? name;
}
