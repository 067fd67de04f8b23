import type { Row } from './row.ts';
import { kills, killsControl } from './t1-kills.ts';
import { killedRebuilds } from './t1-rebuilds.ts';
import { crashesAtSteps } from './t1-steps.ts';
import { powerCuts, powerCutsControl } from './t2-power-cuts.ts';
import { damage } from './t3-damage.ts';
import { failingCalls } from './t4-failing-calls.ts';
import { fullDisk } from './t5-full-disk.ts';
import { duplicates } from './t6-duplicates.ts';
import { repeatedShipments, repeatedShipmentsControl } from './t6-repeated-shipments.ts';
import { clocks } from './t7-clocks.ts';
import { longLoad } from './t8-load.ts';
import { slowClients } from './t9-slow-clients.ts';
import { badInput } from './t10-bad-input.ts';
import { engineFaults } from './t15-engine.ts';

/** The rows that there are, in the order in which they run. */
export const ROWS: readonly Row[] = [
  kills,
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
