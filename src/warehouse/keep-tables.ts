import { applySchema } from './apply-schema.ts';
import type { Warehouse } from './client/client.ts';
import { lacksTables } from './client/warehouse-unavailable.ts';

interface KeptTables {
  /** Runs the work once the tables exist. If the work finds them missing, it throws, and the next call recreates them. */
  use<T>(work: () => Promise<T>): Promise<T>;
}

type KeptTablesOptions = {
  readonly warehouse: Warehouse;
  /** Runs the work while inserts are paused. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Called when tables were lost. */
  report(trouble: string): void;
};

/**
 * Creates the warehouse's tables before the first insert, and recreates them if they are lost while the server
 * runs, for example because their folder was removed.
 *
 * Why inserts are paused: events inserted before the views exist would never be in them.
 */
export function keepTables(options: KeptTablesOptions): KeptTables {
  const { warehouse, alone, report } = options;
  let areMade = false;
  let mayBeLost = false;

  async function make(): Promise<void> {
    if (mayBeLost) await alone(recreate);
    else await applySchema(warehouse);
    areMade = true;
    mayBeLost = false;
  }

  async function recreate(): Promise<void> {
    if ((await applySchema(warehouse)) === 0) return; // Another process was faster.
    report(
      'The warehouse had lost its tables. They have been recreated; run verify, then rebuild.',
    );
  }

  return {
    async use(work) {
      if (!areMade) await make();
      try {
        return await work();
      } catch (error) {
        if (lacksTables(error)) {
          areMade = false;
          mayBeLost = true;
        }
        throw error;
      }
    },
  };
}
