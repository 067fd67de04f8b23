import { newUuid } from '#ingest/new-uuid.ts';
import { type History, someVisitorsSql } from './history-sql.ts';
import type { Side } from './side.ts';

/** Events and payments sent to a server until stopped. */
export interface Traffic {
  /** Resolves with what was sent, and the number of failed requests. */
  end(): Promise<{ readonly events: number; readonly payments: number; readonly failures: number }>;
}

const EVENTS_A_SECOND = 200;
const EVENTS_A_REQUEST = 20;
const TICK_MS = 100;
/** Number of visits open at once; each has four events. */
const OPEN_VISITS = 400;
const EVENTS_A_VISIT = 4;
const GOAL_EVERY = 10;
const KNOWN_VISITORS = 10_000;

/** Addresses in different countries. */
const ADDRESSES = ['8.8.8.8', '217.0.43.1', '1.1.1.1', '212.58.244.20'];
const BROWSERS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
];
const SOURCES = [
  '',
  '&utm_source=google&utm_medium=cpc',
  '&utm_source=newsletter&utm_medium=email',
];

type Visit = { readonly visitorId: string; readonly number: number; readonly visitId: string };

/** Sends 200 events and one payment a second, half of the visits by the history's visitors. */
export async function startTraffic(side: Side, history: History): Promise<Traffic> {
  const known = (await side.sql(someVisitorsSql(history, KNOWN_VISITORS))).map(([id = '']) => id);
  const visits: Visit[] = [];
  const sent = { events: 0, payments: 0, failures: 0 };
  const underWay = new Set<Promise<unknown>>();
  const startedAt = performance.now();

  function post(path: string, body: unknown): void {
    const one = side
      .post(path, JSON.stringify(body))
      .catch(() => (sent.failures += 1))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }

  function nextEvent(): unknown {
    const slot = sent.events % OPEN_VISITS;
    const turn = Math.floor(sent.events / OPEN_VISITS);
    sent.events += 1;
    const before = visits[slot];
    const visit = before === undefined || turn % EVENTS_A_VISIT === 0 ? newVisit(slot) : before;
    visits[slot] = visit;
    return toEvent(visit, sent.events);
  }

  function newVisit(slot: number): Visit {
    const number = sent.events;
    const visitorId = number % 2 === 0 ? known[(number * 7) % known.length] : undefined;
    const now = Date.now();
    return { visitorId: visitorId ?? `new-${slot}-${now}`, number, visitId: newUuid(now) };
  }

  function payNext(): void {
    const visitor = visits[sent.payments % OPEN_VISITS]?.visitorId;
    post('/api/v1/payments', {
      amount: 19 + (sent.payments % 50),
      currency: sent.payments % 2 === 0 ? 'EUR' : 'USD',
      transaction_id: `now-${startedAt}-${sent.payments}`,
      service_visitor_id: visitor,
    });
    sent.payments += 1;
  }

  const timer = setInterval(() => {
    const seconds = (performance.now() - startedAt) / 1_000;
    while (sent.events + EVENTS_A_REQUEST <= seconds * EVENTS_A_SECOND) {
      post('/api/v1/events', { events: Array.from({ length: EVENTS_A_REQUEST }, nextEvent) });
    }
    while (sent.payments + 1 <= seconds) payNext();
  }, TICK_MS);

  return {
    async end() {
      clearInterval(timer);
      await Promise.all(underWay);
      return sent;
    },
  };
}

function toEvent({ visitorId, number, visitId }: Visit, count: number) {
  const isGoal = count % GOAL_EVERY === 0;
  return {
    site: 'bench.example',
    type: isGoal ? 'goal' : 'pageview',
    ...(isGoal && { name: 'signup' }),
    url: `https://bench.example/page-${count % 400}?n=1${SOURCES[number % SOURCES.length]}`,
    service_visitor_id: visitorId,
    visit_id: visitId,
    ip: ADDRESSES[number % ADDRESSES.length],
    user_agent: BROWSERS[number % BROWSERS.length],
    screen_width: 1440,
    language: 'en-US',
  };
}
