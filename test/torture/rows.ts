import type { Row } from './row.ts';
import { kills, killsControl, killsOfPostgres } from './rows/t1-kills.ts';
import { killedRebuilds } from './rows/t1-rebuilds.ts';
import { crashesAtSteps } from './rows/t1-steps.ts';
import { powerCuts, powerCutsControl } from './rows/t2-power-cuts.ts';
import { damage } from './rows/t3-damage.ts';
import { failingCalls } from './rows/t4-failing-calls.ts';
import { fullDisk } from './rows/t5-full-disk.ts';
import { duplicates } from './rows/t6-duplicates.ts';
import { repeatedShipments, repeatedShipmentsControl } from './rows/t6-repeated-shipments.ts';
import { clocks } from './rows/t7-clocks.ts';
import { longLoad } from './rows/t8-load.ts';
import { slowClients } from './rows/t9-slow-clients.ts';
import { badInput } from './rows/t10-bad-input.ts';
import { engineFaults } from './rows/t15-engine.ts';

/** All rows, in the order in which they run. */
export const ROWS: readonly Row[] = [
  kills,
  killsOfPostgres,
  crashesAtSteps,
  killedRebuilds,
  killsControl,
  powerCuts,
  powerCutsControl,
  damage,
  engineFaults,
  duplicates,
  repeatedShipments,
  repeatedShipmentsControl,
  fullDisk,
  clocks,
  badInput,
  slowClients,
  failingCalls,
  longLoad,
];
