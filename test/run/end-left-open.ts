import { after } from 'node:test';
import './keep-open.ts'; // Closes what is kept open first.

const PATIENCE_MS = 10_000;

/**
 * Ends a file whose tests are done but which left something open, for example after a failed test. Otherwise the
 * file, and so the whole run, would never end.
 *
 * Why not the test runner's own forced exit: it loses results that are not yet reported.
 */
after(() => {
  setTimeout(() => process.exit(), PATIENCE_MS).unref();
});
