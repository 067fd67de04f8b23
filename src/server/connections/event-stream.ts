import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { keepRunning } from '#jobs/keep-running.ts';
import { dropOnHalfClose } from './broken-requests.ts';

/** One event of a stream; `data` is one line. */
type StreamedEvent = { readonly event: string; readonly id: string; readonly data: string };

/** A response of server-sent events. */
export interface EventStream {
  send(events: readonly StreamedEvent[]): void;
  /** Closes the stream cleanly. Clients reconnect by themselves. */
  end(): void;
}

/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000;
/** A comment line at this interval keeps the connection alive, also through proxies. */
const HEARTBEAT_MS = 15_000;
/** A client with more unread data is cut off, because that data is kept in memory. */
const UNREAD_MAX_BYTES = 256 * 1024;
const LOOK_EVERY_MS = 1_000;

/**
 * Starts a stream as the response, and takes it out of the framework's hands.
 *
 * - `isWelcome` is checked every second; the stream ends when it returns false. `onClose` runs at the
 *   end.
 * - Source: HTML Standard, server-sent events.
 */
export function beginEventStream(
  reply: FastifyReply,
  { isWelcome, onClose }: { isWelcome(): Promise<boolean>; onClose(): void },
): EventStream {
  const { raw } = reply;
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no', // Otherwise nginx would buffer it.
    connection: 'close',
  };
  reply.hijack();
  dropOnHalfClose(raw);
  raw.writeHead(200, headers as Record<string, string>);
  raw.write(`retry: ${RETRY_MS}\n\n`);
  let beats = 0;
  const looking = keepRunning({
    ...{ name: 'live_streams', everyMs: LOOK_EVERY_MS },
    async run() {
      beats += 1;
      if (!(await isWelcome())) end();
      else if ((beats * LOOK_EVERY_MS) % HEARTBEAT_MS === 0) write(raw, ': here\n\n');
    },
  });
  raw.on('error', () => {}); // `close` follows.
  raw.on('close', () => {
    void looking.stop();
    onClose();
  });

  function end(): void {
    void looking.stop();
    raw.end();
  }

  const toText = ({ id, event, data }: StreamedEvent) =>
    `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
  return { send: (events) => write(raw, events.map(toText).join('')), end };
}

function write(raw: ServerResponse, text: string): void {
  if (raw.writableEnded || raw.destroyed) return;
  raw.write(text);
  if (raw.writableLength > UNREAD_MAX_BYTES) raw.destroy();
}
