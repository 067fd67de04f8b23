import { request } from 'node:http';
import { waitUntil } from './wait-until.ts';

/** A message of a stream, and its arrival time (`performance.now()`). */
export type HeardMessage = {
  readonly event: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
};

/** A client of the live stream, with its own connection. */
export interface LiveClient {
  /** All messages, as received. */
  text(): string;
  messages(event: string): HeardMessage[];
  /** The first message of a kind. */
  next(event: string): Promise<HeardMessage>;
  /** The first message of a kind that matches. Throws if none arrives in time. */
  find(
    event: string,
    isWanted: (message: HeardMessage) => boolean,
    maxMs?: number,
  ): Promise<HeardMessage>;
  /** Stops reading until told to resume. */
  pause(): void;
  resume(): void;
  /** Resolves when the server has ended the stream, with whether it ended cleanly. */
  readonly ended: Promise<boolean>;
  close(): void;
}

/** Listens to the site of a key. Rejects if the server refuses. */
export function listen(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<LiveClient> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/api/v1/live/stream`,
      { agent: false, headers: { authorization: `Bearer ${key}`, ...headers } },
      (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`${response.statusCode}`));
          response.resume();
          return;
        }
        let text = '';
        const heard: HeardMessage[] = [];
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const before = text.lastIndexOf('\n\n');
          text += chunk;
          const whole = text.slice(before + 2, text.lastIndexOf('\n\n'));
          heard.push(...whole.split('\n\n').flatMap(parseMessage));
        });
        const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
        response.on('error', () => {});
        response.on('close', () => end(response.complete));
        const find: LiveClient['find'] = async (event, isWanted, maxMs = 60_000) => {
          const look = async () => heard.find((each) => each.event === event && isWanted(each));
          const found = await waitUntil(look, (each) => each !== undefined, maxMs);
          return found as HeardMessage;
        };
        resolve({
          text: () => text,
          messages: (event) => heard.filter((each) => each.event === event),
          next: (event) => find(event, () => true),
          find,
          pause: () => response.pause(),
          resume: () => response.resume(),
          ended,
          close: () => asked.destroy(),
        });
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

function parseMessage(block: string): HeardMessage[] {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  if (fields.data === undefined) return [];
  const { event = '', id = '', data } = fields;
  return [{ event, id, data: JSON.parse(data), at: performance.now() }];
}
