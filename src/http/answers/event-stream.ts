import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { dropWhenLeft } from '../server/broken-requests.ts';

/** One event of a stream; `data` is one line. */
export type StreamedEvent = { readonly event: string; readonly id: string; readonly data: string };

/** An answer that goes on: server-sent events. */
export interface EventStream {
  send(events: readonly StreamedEvent[]): void;
  /** Ends it in order; who listens comes again by itself. */
  end(): void;
}

/** How long the client of a broken stream waits before it connects again. */
const RETRY_MS = 2_000;
/** A silent line now and then shows both ends, and proxies between, that the other is there. */
const HEARTBEAT_MS = 15_000;
/** A client that reads slower than that is cut off: what waits for it is kept in memory. */
const UNREAD_MAX_BYTES = 256 * 1024;
const LOOK_EVERY_MS = 1_000;

/**
 * Begins a stream as the answer, which the framework then has no more to do with.
 *
 * - `isWelcome` is checked every second; the stream ends when it is false. `onClose` runs at its end.
 * - Source: HTML Standard, server-sent events.
 */
export function beginEventStream(
  reply: FastifyReply,
  { isWelcome, onClose }: { isWelcome(): boolean; onClose(): void },
): EventStream {
  const { raw } = reply;
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no', // nginx would keep it back.
    connection: 'close',
  };
  reply.hijack();
  dropWhenLeft(raw);
  raw.writeHead(200, headers as Record<string, string>);
  raw.write(`retry: ${RETRY_MS}\n\n`);
  let beats = 0;
  const looking = setInterval(() => {
    beats += 1;
    if (!isWelcome()) end();
    else if ((beats * LOOK_EVERY_MS) % HEARTBEAT_MS === 0) write(raw, ': here\n\n');
  }, LOOK_EVERY_MS).unref();
  raw.on('error', () => {}); // `close` follows.
  raw.on('close', () => {
    clearInterval(looking);
    onClose();
  });

  function end(): void {
    clearInterval(looking);
    raw.end();
  }

  return {
    send: (events) => write(raw, events.map(toText).join('')),
    end,
  };
}

function toText({ id, event, data }: StreamedEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}

function write(raw: ServerResponse, text: string): void {
  if (raw.writableEnded || raw.destroyed) return;
  raw.write(text);
  if (raw.writableLength > UNREAD_MAX_BYTES) raw.destroy();
}
