import { request } from 'node:http';
import { HEARTBEAT_PATH } from '#warehouse/heartbeat-path.ts';
import { watchWork } from '#warehouse/watch-work.ts';

/** Stops listening for the heartbeat. */
export type StopHeartbeat = () => void;

/** The engine's process, and where it answers. */
export type WatchedEngine = { readonly pid: number; readonly socketPath: string };

const BEAT_MS = 1_000;
/**
 * A crashed engine swallows its signal and hangs; silence is how it shows.
 * Half a second short of a beat, so that the third beat without an answer tells; it then has two
 * seconds to be back within the five that are promised.
 */
const SILENCE_MAX_MS = 2_500;
/** Longer than any wait for a processor on a machine that is of use at all. */
const BUSY_SILENCE_MAX_MS = 30_000;
/** Whoever comes so late to the next beat was stopped or starved itself, and has heard nothing. */
const AWAY_MS = 2 * BEAT_MS;

/**
 * Asks the embedded engine a trifle every second and tells when it stays silent.
 *
 * - Why a statement and not a ping: the process can answer while the engine inside it hangs.
 * - Why its work counts too: among others that want the same processors, one that is busy with
 *   questions and merges answers after seconds, and killing it would make that worse.
 */
export function watchHeartbeat(
  { pid, socketPath }: WatchedEngine,
  onSilence: () => void,
): StopHeartbeat {
  const work = watchWork(pid);
  let heardAt = performance.now();
  let lastTickAt = heardAt;
  let isAsked = false;

  function isSilent(now: number): boolean {
    if (now - heardAt < BEAT_MS) {
      work.forget();
      return false;
    }
    const isAtWork = work.isAtWork();
    return now - heardAt > (isAtWork ? BUSY_SILENCE_MAX_MS : SILENCE_MAX_MS);
  }

  const timer = setInterval(() => {
    const now = performance.now();
    if (now - lastTickAt > AWAY_MS) heardAt = now;
    lastTickAt = now;
    if (isSilent(now)) {
      heardAt = now;
      onSilence();
      return;
    }
    if (isAsked) return;
    isAsked = true;
    beat(socketPath, (isAnswered) => {
      isAsked = false;
      if (isAnswered) heardAt = performance.now();
    });
  }, BEAT_MS);
  return () => clearInterval(timer);
}

/** On a connection of its own: one that is kept hears an engine that nobody else reaches any more. */
function beat(socketPath: string, onEnd: (isAnswered: boolean) => void): void {
  const asked = request({ agent: false, socketPath, path: HEARTBEAT_PATH }, (response) => {
    response.resume();
    response.on('close', () => onEnd(response.complete));
  });
  asked.on('error', () => onEnd(false)); // No answer; the silence is what counts.
  asked.end();
}
