import { mkdirSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { dirname } from 'node:path';
import { json } from 'node:stream/consumers';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import type { VisitorDirectory } from './ports.ts';

/** What the web processes of one machine have in memory of visitors, told to each other. */
export interface VisitorExchange {
  /** What any other process knows of each visitor, in the order asked; nothing of one that is silent. */
  ask(visitors: readonly VisitorName[]): Promise<(KnownVisitor | undefined)[]>;
  close(): void;
}

/** Which of how many processes this is, where each answers, and what this one knows. */
export type VisitorExchangeOptions = {
  readonly index: number;
  readonly count: number;
  socketOf(index: number): string;
  readonly recall: VisitorDirectory['recall'];
};

type VisitorName = { readonly siteId: string; readonly visitorId: string };
type Answer = readonly (KnownVisitor | null)[];

/** Longer than this nobody waits for another process: the warehouse knows, too. */
const ANSWER_MAX_MS = 300;

/**
 * Opens the exchange: a Unix socket for each process, in a folder that is closed to other users.
 *
 * Why: a pageview and the goal behind it may come to two processes, and the warehouse, which has
 * the pageview a second later, may be away.
 */
export function openVisitorExchange(options: VisitorExchangeOptions): VisitorExchange {
  const { index: ownIndex, count, socketOf, recall } = options;
  const own = socketOf(ownIndex);
  const others = Array.from({ length: count }, (_, index) => index)
    .filter((index) => index !== ownIndex)
    .map(socketOf);
  const agent = new Agent({ keepAlive: true });
  mkdirSync(dirname(own), { recursive: true, mode: 0o700 });
  rmSync(own, { force: true }); // Left by a process of this index that was killed.
  const server = createServer(async (asked, response) => {
    try {
      const visitors = (await json(asked)) as readonly VisitorName[];
      const known = visitors.map(({ siteId, visitorId }) => recall(siteId, visitorId) ?? null);
      response.end(JSON.stringify(known satisfies Answer));
    } catch {
      response.destroy(); // The asker is gone.
    }
  });
  server.on('error', () => {}); // Without it the others ask the warehouse.
  server.listen(own);

  return {
    async ask(visitors) {
      const answers = await Promise.all(others.map((path) => askOne(agent, path, visitors)));
      return visitors.map((_, index) => {
        const known = answers.flatMap((answer) => answer?.[index] ?? []);
        return known.find(({ hasPageview }) => hasPageview) ?? known[0];
      });
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

/** `undefined` when it does not answer, or not in time. */
function askOne(
  agent: Agent,
  socketPath: string,
  visitors: readonly VisitorName[],
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const asked = request({ agent, socketPath, method: 'POST' }, (answer) => {
      json(answer).then(
        (known) => resolve(known as Answer),
        () => resolve(undefined),
      );
    });
    asked.setTimeout(ANSWER_MAX_MS, () => asked.destroy());
    // A kept connection may have ended with its process, which is started again by now.
    asked.on('error', () =>
      resolve(asked.reusedSocket ? askOne(agent, socketPath, visitors) : undefined),
    );
    asked.end(JSON.stringify(visitors));
  });
}
