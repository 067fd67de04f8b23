import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import { applySchema } from './apply-schema.ts';
import type { Warehouse } from './client.ts';

const SCHEMA_RETRY_MS = 100;

/** Makes the warehouse's tables as soon as it answers, and again when it answers with none. */
export function keepApplyingSchema(warehouse: Warehouse, onApplied: () => void) {
  let applied = false;
  let stopped = false;
  async function run(): Promise<void> {
    while (!applied && !stopped) {
      try {
        await applySchema(warehouse);
        applied = true;
        if (!stopped) onApplied();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        await sleep(SCHEMA_RETRY_MS);
      }
    }
  }
  void run();
  return {
    isApplied: () => applied,
    stop: () => {
      stopped = true;
    },
  };
}
