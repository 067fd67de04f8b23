import { keepRunning } from '#jobs/keep-running.ts';

/** What was refused at the door, for the people who look at the connection. */
interface Refusals {
  note(connectionId: string, why: string): void;
  stop(): Promise<void>;
}

const SAVE_EVERY_MS = 5_000;

/** Notes refusals in memory and saves the last one of each connection every few seconds: anybody can cause thousands. */
export function noteRefusals(
  save: (connectionId: string, why: string) => Promise<unknown>,
): Refusals {
  let noted = new Map<string, string>();
  const job = keepRunning({
    name: 'refused deliveries',
    everyMs: SAVE_EVERY_MS,
    async run() {
      const all = noted;
      noted = new Map();
      for (const [connectionId, why] of all) await save(connectionId, why);
    },
  });
  return {
    note: (connectionId, why) => void noted.set(connectionId, why),
    stop: job.stop,
  };
}
