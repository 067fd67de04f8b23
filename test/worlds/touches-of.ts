import type { EventRow } from '#contract/rows/event-row.ts';

/** Where a visitor came from, and when. */
export type EventTouch = { readonly at: number; readonly source: string };

/**
 * The touches of a visit: its own, from its first event with a source, as of its beginning; and each later event that a
 * campaign tag or click id brought, if that names another source, medium, campaign or click id than the touch before.
 *
 * - Source: docs/attribution.md, "Touches".
 */
export function touchesOf(events: readonly EventRow[]): EventTouch[] {
  const inOrder = events.toSorted((a, b) => a.occurred_at - b.occurred_at);
  // A goal that a backend reports has no source.
  const told = inOrder.filter(({ type, extends_visit }) => type !== 'goal' || extends_visit !== 0);
  const own = told.find((event) => valuesOf(event).some((value) => value !== ''));
  const beganAt = Math.min(inOrder[0]?.occurred_at ?? 0, inOrder[0]?.visit_started_at ?? 0);
  const touches = [{ at: beganAt, source: nameOf(own) }];
  let before = valuesOf(own).join(' ');
  for (const event of told.filter(isTagged)) {
    const values = valuesOf(event).join(' ');
    if (values !== before) touches.push({ at: event.occurred_at, source: nameOf(event) });
    before = values;
  }
  return touches;
}

function valuesOf({
  source = '',
  medium = '',
  campaign = '',
  click_id = '',
}: Partial<EventRow> = {}) {
  return [source, medium, campaign, click_id];
}

function nameOf({ source = '' }: Partial<EventRow> = {}): string {
  return source === '' ? 'Direct' : source;
}

function isTagged(event: EventRow): boolean {
  const [source, ...others] = valuesOf(event);
  return others.some((value) => value !== '') || (source !== '' && (event.referrer ?? '') === '');
}
