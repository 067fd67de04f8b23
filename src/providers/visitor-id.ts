import { type JsonValue, textAt } from './json.ts';

/** The names under which shops pass our visitor id to their provider, the first one first. */
const NAMES = ['service_visitor_id', 'visitor_id', 'tributary_visitor_id', 'datafast_visitor_id'];

/** The visitor id in an event's own data: metadata, custom data, notes. The first place that has one counts. */
export function findVisitorId(...places: readonly (JsonValue | undefined)[]): string | undefined {
  for (const place of places) {
    for (const name of NAMES) {
      const found = textAt(place, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
