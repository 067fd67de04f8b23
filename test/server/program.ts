import { fileURLToPath } from 'node:url';

/** The program's main file: of the bundle in `TEST_PROGRAM`, or of the sources. */
export const MAIN =
  process.env.TEST_PROGRAM ?? fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** The main file of its engine. */
export const ENGINE = MAIN.replace('cli/main', 'warehouse/engine/engine-child');
