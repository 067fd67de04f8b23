import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildTracker } from '../../scripts/build.ts';

/** One event as the script sent it. */
export type RecordedEvent = {
  readonly type: string;
  readonly site: string;
  readonly url: string;
  readonly referrer?: string;
  readonly service_visitor_id: string;
  readonly visit_id: string;
  readonly name?: string;
  readonly metadata?: Record<string, string>;
  readonly sent_at: number;
  readonly title: string;
  readonly language: string;
  readonly timezone: string;
  readonly screen_width: number;
  readonly webdriver: boolean;
};

/** A server with the script on every page, which writes down what the script sends. */
export interface Recorder {
  readonly port: number;
  readonly events: readonly RecordedEvent[];
  readonly contentTypes: ReadonlySet<string>;
  /** Resolves with the events as soon as there are that many. Throws after five seconds. */
  waitFor(count: number): Promise<readonly RecordedEvent[]>;
  /** Forgets what was recorded. */
  clear(): void;
  close(): Promise<void>;
}

/**
 * Starts a recorder on a free port. `page` makes the HTML of a path around the script's tag; the
 * script itself comes fresh from its source.
 */
export async function recordEvents(page: (path: string) => string): Promise<Recorder> {
  const { plain } = await buildTracker();
  const events: RecordedEvent[] = [];
  const contentTypes = new Set<string>();
  const waiting = new Set<() => void>();

  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (path === '/js/script.js') {
      response.setHeader('content-type', 'text/javascript').end(plain);
    } else if (path === '/api/v1/events') {
      contentTypes.add(request.headers['content-type'] ?? '');
      events.push(JSON.parse(await text(request)));
      response.setHeader('access-control-allow-origin', '*').end('{"status":"success"}');
      for (const check of waiting) check();
    } else {
      response.setHeader('content-type', 'text/html').end(page(path));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    events,
    contentTypes,
    waitFor(count) {
      return new Promise((resolve, reject) => {
        const deadline = setTimeout(() => {
          waiting.delete(check);
          reject(
            new assert.AssertionError({ message: `${events.length} of ${count} events came` }),
          );
        }, 5_000);
        const check = () => {
          if (events.length < count) return;
          clearTimeout(deadline);
          waiting.delete(check);
          resolve(events.slice(0, count));
        };
        waiting.add(check);
        check();
      });
    },
    clear() {
      events.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
