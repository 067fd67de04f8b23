import { setImmediate as others } from 'node:timers/promises';

/** Long enough to be worth a turn, and too short for anyone to notice. */
const TURN_MS = 5;

/**
 * Divides long work into turns, so that one request does not hold the thread: between two steps, `isOver` tells whether
 * it is the others' turn, and `others` lets them work.
 */
export function takeTurns() {
  let until: number | undefined;
  return {
    isOver() {
      const now = performance.now();
      until ??= now + TURN_MS;
      return now > until;
    },
    async others() {
      await others();
      until = performance.now() + TURN_MS;
    },
  };
}
