import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Where the embedded engine tells its {@link WriteMark}. */
export const WRITE_MARK_PATH = '/write-mark';
/** Whoever asks has a question to answer, and can do without. */
const ANSWER_MAX_MS = 1_000;

/** Tells by a text whether anything was written into an engine between two looks at it. */
export interface WriteMark {
  /** Another after every writing statement, and in every engine; empty while one is under way. */
  readonly text: string;
  /** What `work`, which may write, answers. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** The mark of an engine that has just started. */
export function createWriteMark(): WriteMark {
  const engine = randomUUID();
  let [underWay, ended] = [0, 0];
  return {
    get text() {
      return underWay === 0 ? `${engine} ${ended}` : '';
    },
    async during(work) {
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
        ended += 1;
      }
    },
  };
}

/** Asks an engine for its mark. */
export interface AskWriteMark {
  /** `undefined` while it writes, or does not answer at once. Never throws. */
  (): Promise<string | undefined>;
  close(): void;
}

/** Asks the engine behind a Unix socket, on connections that no statement waits for. */
export function createAskWriteMark(socketPath: string): AskWriteMark {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const ask = () =>
    new Promise<string>((resolve, reject) => {
      const signal = AbortSignal.timeout(ANSWER_MAX_MS); // Of waiting for a connection, too.
      const options = { agent, socketPath, path: WRITE_MARK_PATH, signal };
      const asked = request(options, (response) => {
        if (response.statusCode === 200) resolve(text(response));
        else asked.destroy(new Error('no mark'));
      });
      asked.on('error', reject);
      asked.end();
    });
  const close = () => agent.destroy();
  return Object.assign(
    () =>
      ask().then(
        (mark) => mark || undefined,
        () => undefined,
      ),
    { close },
  );
}
