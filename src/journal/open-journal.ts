import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { toLineOpening, toLineTail } from '#contract/event-lines.ts';
import type { EventRow } from '#contract/event-row.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { crashPoint } from '#storage/crash-points.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import { JOURNAL, toBatchId } from '#storage/shipment-token.ts';
import type { JournalBacklog } from './journal-file.ts';
import type { FromThread, ToThread } from './journal-messages.ts';
import type { JournalThreadOptions } from './journal-thread.ts';

/** The journal as the web process sees it. */
export interface Journal {
  /**
   * Resolves once every row is fsynced. Throws UnavailableError when the disk refuses, or when too
   * much waits to be shipped.
   */
  append(rows: readonly EventRow[]): Promise<void>;
  /** Throws UnavailableError when too much waits to be shipped. */
  assertRoom(): void;
  /** Tells the shipper that the ledger has something to ship. */
  wake(): void;
  /** Tells the shipper that somebody waits for what is there. */
  hurry(): void;
  /** Bytes that wait to be shipped, here and elsewhere, as last told. */
  backlogBytes(): number;
  /** Batches that are kept aside, as they are damaged or the warehouse cannot read them. */
  setAsideBatches(): number;
  backlog(): Promise<JournalBacklog & { readonly damaged: number }>;
  /** Ships all that is there. Throws UnavailableError when the warehouse does not take it. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Where the journal lies, where it ships to, and who hears of failures. */
export type JournalOptions = JournalThreadOptions & {
  /** The thread's module, which calls `runJournalThread`. */
  readonly thread: URL;
  /** From this backlog on nothing more is taken, until some of it is shipped. */
  readonly backlogMaxBytes: number;
  /** Bytes that wait elsewhere to be shipped and count into this backlog. */
  otherBacklogBytes?(): number;
  /** Called for each failed shipment, with the shipper's own words. */
  onShipFailure(message: string): void;
  /** Hears of damage, and of batches that are set aside. */
  onTrouble(message: string): void;
  /** The worker thread died: nothing can be accepted any more. */
  onDeath(error: unknown): void;
};

/** A full journal empties shipment by shipment: whoever asks again sooner asks in vain. */
const FULL_RETRY_SECONDS = 5;

/**
 * Requests that were read together are committed together: each group wakes the thread once, and
 * fewer, larger groups leave more of the processor to requests.
 */
const gatherWholeTurn = setImmediate;

/**
 * So many groups wait in front of the thread or are committed there, those that wait by one fsync: it
 * need not wait for this process's own thread to hear of the first, and takes all that has come.
 */
const GROUPS_UNDER_WAY = 4;

/**
 * Wake-ups of so long are told as one: each wakes a sleeping thread, which is dear where every
 * payment brings one, and shipping waits for a second anyway.
 */
const WAKE_GATHER_MS = 20;

/** Opens the journal in a worker thread of its own; resolves when it can take events. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const {
    thread,
    onShipFailure,
    onTrouble,
    onDeath,
    backlogMaxBytes,
    otherBacklogBytes,
    ...workerData
  } = options;
  let ownBacklogBytes = 0;
  let comingBytes = 0; // Not on disk yet.
  let setAside = 0;
  let waking: NodeJS.Timeout | undefined;
  const backlogBytes = () => ownBacklogBytes + (otherBacklogBytes?.() ?? 0);
  const worker = new Worker(thread, { workerData });
  let isOpen = false;
  const exchange = createExchange(worker, {
    onShipFailure,
    onTrouble,
    onDeath: (error) => isOpen && onDeath(error),
    onBacklog(message) {
      ownBacklogBytes = message.backlogBytes;
      setAside = message.setAside;
    },
  });
  let { lastSeq } = await exchange.expect('open').catch((error: UnavailableError) => {
    throw error.cause; // Who opens it wants to know why it could not be.
  });
  isOpen = true;

  const commits = createGroupCommit<string[], undefined>(
    async (group) => {
      lastSeq += 1;
      const opening = toLineOpening(toBatchId(JOURNAL, lastSeq));
      let lines = '';
      let rows = 0;
      for (const tails of group) {
        for (const tail of tails) lines += opening + tail;
        rows += tails.length;
      }
      const answer = await exchange.ask({ kind: 'append', seq: lastSeq, rows, lines }, [
        'appended',
        'append_failed',
      ]);
      if (answer.kind === 'append_failed') {
        throw new UnavailableError('Events cannot be written to disk just now.', answer.message);
      }
      ownBacklogBytes = answer.backlogBytes;
      return new Array<undefined>(group.length).fill(undefined);
    },
    { gather: gatherWholeTurn, underWayMax: GROUPS_UNDER_WAY },
  );

  /** Whoever comes meanwhile finds as much less room. */
  async function commit(tails: string[]): Promise<void> {
    let sizeBytes = 0;
    for (const tail of tails) sizeBytes += tail.length;
    comingBytes += sizeBytes;
    try {
      await commits.add(tails);
    } finally {
      comingBytes -= sizeBytes;
    }
  }

  function assertRoom(): void {
    if (backlogBytes() + comingBytes < backlogMaxBytes) return;
    throw new UnavailableError(
      'The journal is full until the warehouse takes its events.',
      undefined,
      FULL_RETRY_SECONDS,
    );
  }

  return {
    assertRoom,
    backlogBytes,
    setAsideBatches: () => setAside,
    async append(rows) {
      assertRoom();
      if (rows.length > 0) await commit(rows.map(toLineTail));
      crashPoint('before', 'answer');
    },
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
        exchange.send({ kind: 'wake' });
      }, WAKE_GATHER_MS);
    },
    hurry: () => exchange.send({ kind: 'hurry' }),
    backlog: async () => (await exchange.ask({ kind: 'backlog' }, ['backlog'])).backlog,
    async drain() {
      const { failure } = await exchange.ask({ kind: 'drain' }, ['drained']);
      if (failure !== undefined) throw new UnavailableError('The journal is not shipped.', failure);
    },
    async close() {
      clearTimeout(waking);
      const exited = once(worker, 'exit');
      await exchange.ask({ kind: 'close' }, ['closed']);
      await exited;
    },
  };
}

type Kind = FromThread['kind'];
type MessageOf<K extends Kind> = Extract<FromThread, { kind: K }>;

/** Questions to the worker and its answers: answers of one kind come in the order of asking. */
function createExchange(
  worker: Worker,
  {
    onShipFailure,
    onTrouble,
    onDeath,
    onBacklog,
  }: Pick<JournalOptions, 'onShipFailure' | 'onTrouble' | 'onDeath'> & {
    onBacklog(message: MessageOf<'backlog_bytes'>): void;
  },
) {
  const waiters: {
    kinds: readonly Kind[];
    resolve(message: FromThread): void;
    reject(error: unknown): void;
  }[] = [];
  let dead: unknown;

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'ship_failed') {
      onShipFailure(message.message);
      return;
    }
    if (message.kind === 'trouble') {
      onTrouble(message.message);
      return;
    }
    if (message.kind === 'backlog_bytes') {
      onBacklog(message);
      return;
    }
    const index = waiters.findIndex((waiter) => waiter.kinds.includes(message.kind));
    waiters.splice(index, 1)[0]?.resolve(message);
  });
  function die(error: unknown): void {
    dead = new UnavailableError('The journal has stopped.', error);
    for (const waiter of waiters.splice(0)) waiter.reject(dead);
  }
  worker.on('error', (error) => {
    die(error);
    onDeath(error);
  });
  worker.on('exit', () => die(new Error('the worker thread ended')));

  function expect<K extends Kind>(...kinds: K[]): Promise<MessageOf<K>> {
    return new Promise((resolve, reject) => {
      if (dead !== undefined) reject(dead);
      else waiters.push({ kinds, resolve: resolve as (message: FromThread) => void, reject });
    });
  }
  return {
    expect,
    send: (message: ToThread) => worker.postMessage(message),
    ask<K extends Kind>(message: ToThread, kinds: readonly K[]): Promise<MessageOf<K>> {
      const answer = expect(...kinds);
      worker.postMessage(message);
      return answer;
    },
  };
}
