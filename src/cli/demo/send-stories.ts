import { setTimeout as pause } from 'node:timers/promises';
import { EVENTS_MAX, type EventRequest, type EventsAnswer } from '#contract/event.ts';
import type { Story } from './imagine-visitor.ts';

/** A server, and a key with permission to write events and payments. */
export type Destination = { readonly url: string; readonly key: string };

/** The number of requests in flight; enough to fill the server's group commits. */
const AT_ONCE = 16;
const ATTEMPTS = 20;
/** Temporary statuses. 401 comes from a server that has not seen the new key yet. */
const TEMPORARY = new Set([401, 429, 503]);
const PAUSE_MS = 250;

/**
 * Sends stories to the public endpoints. Resolves when all are acknowledged.
 *
 * - Throws if the server refuses or drops anything, or stays unavailable.
 */
export async function sendStories(stories: Iterable<Story>, to: Destination): Promise<void> {
  const requests = toRequests(stories);
  const first = requests.next().value;
  if (first !== undefined) await post(to, first); // Sent alone, so that only one request waits for the key.
  async function postRest(): Promise<void> {
    for (const request of requests) await post(to, request);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, postRest));
}

type Request = { readonly path: string; readonly body: object };

/** Yields events in full batches, then payments, by which time the server knows their visitors. */
function* toRequests(stories: Iterable<Story>): Generator<Request, undefined> {
  const payments: Request[] = [];
  let events: EventRequest[] = [];
  for (const story of stories) {
    for (const body of story.payments) payments.push({ path: '/api/v1/payments', body });
    events.push(...story.events);
    while (events.length >= EVENTS_MAX) {
      yield { path: '/api/v1/events', body: { events: events.slice(0, EVENTS_MAX) } };
      events = events.slice(EVENTS_MAX);
    }
  }
  if (events.length > 0) yield { path: '/api/v1/events', body: { events } };
  yield* payments;
}

async function post(to: Destination, { path, body }: Request): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(new URL(path, to.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (response.ok) return assertNothingDropped(answer);
    if (!TEMPORARY.has(response.status) || attempt === ATTEMPTS) {
      throw new Error(`The server answered ${response.status} to ${path}: ${answer}`);
    }
    await pause(PAUSE_MS);
  }
}

function assertNothingDropped(answer: string): void {
  const { dropped } = JSON.parse(answer) as Partial<EventsAnswer>;
  if (dropped?.[0] === undefined) return;
  throw new Error(`The server dropped an event of the demo: ${JSON.stringify(dropped[0])}`);
}
