/** Turns after which a group goes out whatever still comes. */
const TURNS_MAX = 8;

/**
 * Puts off the beginning until a whole turn of the event loop has brought nothing more.
 *
 * - Why: requests whose answers went out together come back together, spread over a few turns. A
 *   group of all of them costs one commit and two wake-ups of a thread instead of several. A lone
 *   request waits for one turn in which nothing happens: microseconds.
 */
export function gatherUntilQuiet(begin: () => void, size: () => number): void {
  let seen = size();
  let turns = 0;
  function look(): void {
    turns += 1;
    const now = size();
    if (now === seen || turns >= TURNS_MAX) {
      begin();
      return;
    }
    seen = now;
    setImmediate(look);
  }
  setImmediate(look);
}
