import { after } from 'node:test';
import './keep-open.ts'; // What is kept open is closed first.

const PATIENCE_MS = 10_000;

/**
 * Ends a file whose tests are over although something of theirs is still open, as after a failure in the
 * middle of one. Without it the file, and so the whole run, would never end.
 *
 * Why not the test runner's own way of ending at once: it loses what is not yet reported.
 */
after(() => {
  setTimeout(() => process.exit(), PATIENCE_MS).unref();
});
