import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';
import { applySchema } from './apply-schema.ts';

const SCHEMA_RETRY_MS = 100;
/** What the warehouse itself refuses is not mended in a moment. */
const REFUSED_RETRY_MS = 5_000;

/**
 * Makes the warehouse's tables as soon as it answers, and again when it answers with none.
 *
 * `onRefused` hears why it would not make them: writes go on meanwhile, into the journal.
 */
export function keepApplyingSchema(
  warehouse: Warehouse,
  { onApplied, onRefused }: { onApplied: () => void; onRefused: (reason: string) => void },
) {
  let applied = false;
  let stopped = false;
  async function run(): Promise<void> {
    while (!applied && !stopped) {
      await applySchema(warehouse).then(end, wait);
    }
  }
  function end(): void {
    applied = true;
    if (!stopped) onApplied();
  }
  async function wait(error: unknown): Promise<void> {
    const isAway = error instanceof UnavailableError;
    if (!isAway && !stopped) onRefused(String(error));
    await sleep(isAway ? SCHEMA_RETRY_MS : REFUSED_RETRY_MS, undefined, { ref: false });
  }
  void run();
  return {
    isApplied: () => applied,
    stop: () => {
      stopped = true;
    },
  };
}
