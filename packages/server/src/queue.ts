import { toWaitMs } from './retry.ts';
import type { Report } from './send-report.ts';
import { TributaryError } from './tributary-error.ts';

/** Reports that nobody waits for. */
export interface Queue {
  add(report: Report): void;
  /** Tries at once; resolves when all reports are sent, or after so long, with those that are left. */
  flush(maxMs: number): Promise<readonly Report[]>;
}

/** How much a queue holds, for how long, and who learns what it drops. */
export type QueueOptions = {
  readonly max: number;
  readonly keepForMs: number;
  readonly send: (report: Report) => Promise<unknown>;
  readonly onDrop: (report: Report, error: TributaryError) => void;
};

type Waiting = { readonly report: Report; readonly since: number };

/**
 * Creates a queue in memory. It sends one report after the other; one that fails goes to the end and waits.
 *
 * - Why the order is not kept: Tributary needs none, and a report that always fails must not hold up the others.
 * - When it is full, the oldest report that is no payment is dropped, else the oldest payment.
 */
export function createQueue({ max, keepForMs, send, onDrop }: QueueOptions): Queue {
  const waiting: Waiting[] = [];
  let sending: Waiting | undefined;
  let running: Promise<void> | undefined;
  let wake: () => void = () => {};
  let failures = 0;

  const drop = ({ report }: Waiting, error: TributaryError) => onDrop(report, error);

  async function run(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      sending = next;
      const error = await send(next.report).then(
        () => undefined,
        (thrown: TributaryError) => thrown,
      );
      sending = undefined;
      if (error === undefined) failures = 0;
      else if (error.isTemporary) await postpone(next, error);
      else drop(next, error);
    }
    running = undefined;
  }

  async function postpone(failed: Waiting, error: TributaryError): Promise<void> {
    failures += 1;
    const waitMs = toWaitMs(failures, error);
    if (Date.now() + waitMs - failed.since > keepForMs) {
      const said = `It could not be sent for ${Math.round(keepForMs / 60_000)} minutes: ${error.message}`;
      drop(failed, new TributaryError('expired', said, { cause: error }));
    } else {
      waiting.push(failed);
    }
    if (failures === 1) {
      console.warn(`Tributary: ${waiting.length} reports wait to be sent again. ${error.message}`);
    }
    if (waiting.length === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function makeRoom(): void {
    const isMoney = ({ report: { kind } }: Waiting) => kind === 'payment' || kind === 'refund';
    const index = waiting.findIndex((each) => !isMoney(each));
    const [oldest] = waiting.splice(Math.max(index, 0), 1);
    const said = `More than ${max} reports wait.`;
    if (oldest !== undefined) drop(oldest, new TributaryError('queue_full', said));
  }

  return {
    add(report) {
      waiting.push({ report, since: Date.now() });
      if (waiting.length > max) makeRoom();
      running ??= run();
    },
    async flush(maxMs) {
      wake();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxMs);
      });
      await Promise.race([running, late]);
      clearTimeout(timer);
      return [...(sending ? [sending] : []), ...waiting].map(({ report }) => report);
    },
  };
}
