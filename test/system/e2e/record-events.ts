import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildTracker } from '../../../scripts/build.ts';

/** One event as sent by the script. */
export type RecordedEvent = {
  readonly type: string;
  readonly site: string;
  readonly url: string;
  readonly referrer?: string;
  readonly event_id: string;
  readonly service_visitor_id: string;
  readonly visit_id: string;
  readonly name?: string;
  readonly metadata?: Record<string, string>;
  readonly user_id?: string;
  readonly traits?: Record<string, string>;
  readonly target?: string;
  readonly engagement_ms?: number;
  readonly scroll_depth?: number;
  readonly retry?: boolean;
  readonly sent_at?: number;
  readonly title: string;
  readonly screen_width: number;
  readonly webdriver: boolean;
  readonly cookie_domain?: string;
};

/** How the server handles the script's requests: records, fails, refuses, never answers, or answers without JSON. */
export type Mood = 'well' | 'unavailable' | 'limiting' | 'refusing' | 'silent' | 'garbled';

const STATUSES: Readonly<Record<string, number>> = {
  ...{ unavailable: 503, limiting: 429, refusing: 400 },
};

/** A server with the script on every page, which records what the script sends. */
export interface Recorder {
  readonly port: number;
  readonly events: readonly RecordedEvent[];
  readonly contentTypes: ReadonlySet<string>;
  /** For each requested page and script. */
  readonly paths: readonly string[];
  mood: Mood;
  /** What the server adds to its success response, for these events. */
  answer: object | ((events: readonly RecordedEvent[]) => object);
  /** Resolves with the events once there are that many. Throws after five seconds. */
  waitFor(count: number): Promise<readonly RecordedEvent[]>;
  /** Like {@link waitFor}, for events of one type only. */
  waitForType(type: string, count?: number): Promise<readonly RecordedEvent[]>;
  /** Clears the recorded events. Time spent in their visits is no longer recorded. */
  clear(): void;
  close(): Promise<void>;
}

const WAIT_MAX_MS = 60_000;

function toAnswer({ mood, answer }: Recorder, sent: readonly RecordedEvent[]): string {
  if (mood === 'garbled') return '<html>';
  const more = typeof answer === 'function' ? answer(sent) : answer;
  return JSON.stringify({ status: 'success', ...more });
}

/**
 * Starts a recorder on a free port. `page` wraps a path's HTML around the script's tag; the script is built fresh
 * from its source, as a script and as a module.
 */
export async function recordEvents(
  page: (path: string, host: string) => string,
): Promise<Recorder> {
  const { plain, module } = await buildTracker();
  const events: RecordedEvent[] = [];
  // A page left before seeing the answer sends an event again, which counts once by its id.
  const ids = new Set<string>();
  // A page that closes sends how long it was visible, which may arrive during the next test.
  const endedVisits = new Set<string>();
  const contentTypes = new Set<string>();
  const paths: string[] = [];
  const waiting = new Set<() => void>();

  const record = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (recorder.mood === 'silent') return;
    response.setHeader('access-control-allow-origin', '*');
    const status = STATUSES[recorder.mood];
    if (status !== undefined) {
      response.writeHead(status).end('{"status":"error"}');
      return;
    }
    contentTypes.add(request.headers['content-type'] ?? '');
    const sent = JSON.parse(body).events as RecordedEvent[];
    for (const event of sent) {
      const isLate = event.type === 'engagement' && endedVisits.has(event.visit_id);
      if (!isLate && !ids.has(event.event_id)) events.push(event);
      ids.add(event.event_id);
    }
    response.end(toAnswer(recorder, sent));
    for (const check of waiting) check();
  };
  const scripts = new Map([
    ['/js/script.js', plain],
    ['/js/tracker.js', module],
  ]);
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const script = scripts.get(path);
    paths.push(path);
    if (request.method === 'POST') return record(request, response);
    if (path.startsWith('/missing/')) return response.writeHead(404).end();
    if (path.startsWith('/hanging/')) return undefined;
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    return response.end(script ?? page(path, request.headers.host ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const waitForThose = (isMeant: (event: RecordedEvent) => boolean, count: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly RecordedEvent[]>();
    const meant = () => events.filter(isMeant);
    const deadline = setTimeout(() => {
      waiting.delete(check);
      const message = `${meant().length} of ${count} events came: ${JSON.stringify(events)}`;
      reject(new assert.AssertionError({ message }));
    }, WAIT_MAX_MS);
    const check = () => {
      if (meant().length < count) return;
      clearTimeout(deadline);
      waiting.delete(check);
      resolve(meant().slice(0, count));
    };
    waiting.add(check);
    check();
    return promise;
  };

  const recorder: Recorder = {
    port: (server.address() as AddressInfo).port,
    events,
    contentTypes,
    paths,
    mood: 'well',
    answer: {},
    // Time spent is reported on every leave, and only asked for by its type.
    waitFor: (count) => waitForThose(({ type }) => type !== 'engagement', count),
    waitForType: (wanted, count = 1) => waitForThose(({ type }) => type === wanted, count),
    clear() {
      for (const { visit_id } of events) endedVisits.add(visit_id);
      events.length = 0;
      paths.length = 0;
      recorder.mood = 'well';
      recorder.answer = {};
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return recorder;
}
