import { fileURLToPath } from 'node:url';

/** The program's main file: the bundle that the runner of system tests has made, or the sources. */
export const MAIN =
  process.env.TEST_PROGRAM ?? fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
