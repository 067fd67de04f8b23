import { setTimeout as pause } from 'node:timers/promises';
import { EVENTS_MAX, type EventRequest, type EventsAnswer } from '#contract/event.ts';
import type { Story } from './imagine-visitor.ts';

/** Where stories go: a server, and a key that may write events and payments. */
export type Destination = { readonly url: string; readonly key: string };

/** Requests on their way at once: enough to fill the server's group commits. */
const AT_ONCE = 16;
const ATTEMPTS = 20;
/** What a server answers that asks to try again; 401 is one that has not yet heard of the key. */
const PASSING = new Set([401, 429, 503]);
const PAUSE_MS = 250;

/**
 * Reports stories through the endpoints that every server uses; resolves when all is acknowledged.
 *
 * - Throws when the server refuses or drops any of it, or stays away.
 */
export async function sendStories(stories: Iterable<Story>, to: Destination): Promise<void> {
  const requests = toRequests(stories);
  await post(to, requests.next()); // Alone, so that only one waits until the key is known.
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = requests.next(); !next.done; next = requests.next()) await post(to, next);
    }),
  );
}

type Request = { readonly path: string; readonly body: object };

/** Events in full batches; payments when their visitors are known, so that none is looked for. */
function* toRequests(stories: Iterable<Story>): Generator<Request, undefined> {
  const payments: Request[] = [];
  let batch: EventRequest[] = [];
  for (const story of stories) {
    for (const event of story.events) {
      batch.push(event);
      if (batch.length < EVENTS_MAX) continue;
      yield toEventsRequest(batch);
      batch = [];
    }
    for (const { report } of story.payments) {
      payments.push({ path: '/api/v1/payments', body: report });
    }
  }
  if (batch.length > 0) yield toEventsRequest(batch);
  yield* payments;
}

function toEventsRequest(events: readonly EventRequest[]): Request {
  return { path: '/api/v1/events', body: { events } };
}

async function post(to: Destination, next: IteratorResult<Request, undefined>): Promise<void> {
  if (next.done) return;
  const { path, body } = next.value;
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(new URL(path, to.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (response.ok) return assertTaken(answer);
    if (!PASSING.has(response.status) || attempt === ATTEMPTS) {
      throw new Error(`The server answered ${response.status} to ${path}: ${answer}`);
    }
    await pause(PAUSE_MS);
  }
}

function assertTaken(answer: string): void {
  const { dropped } = JSON.parse(answer) as Partial<EventsAnswer>;
  if (dropped?.[0] !== undefined) {
    throw new Error(`The server dropped an event of the demo: ${JSON.stringify(dropped[0])}`);
  }
}
