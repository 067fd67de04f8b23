import { request } from 'node:http';
import { HEARTBEAT_PATH } from '#warehouse/engine/heartbeat-path.ts';
import { watchWork } from '#warehouse/engine/watch-work.ts';

const BEAT_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** From then on its work is watched: an engine that is well is heard within a beat and a moment. */
const DOUBT_MS = 1_250;
/**
 * How long an engine that does nothing may be silent: the check two seconds after its last answer decides,
 * and leaves it three to be back within the five that are promised.
 */
const SILENCE_MAX_MS = 1_750;
/** Longer than any wait for a processor on a machine that is of use at all. */
const BUSY_SILENCE_MAX_MS = 30_000;
/** A look that comes so late was stopped or starved itself, and has heard nothing. */
const AWAY_MS = 2 * BEAT_MS;

/**
 * Sends the embedded engine a trivial query every second and calls `onSilence` when no answer comes.
 * Returns what stops it.
 *
 * - Why a statement and not a ping: the process can answer while the engine inside it hangs.
 * - Why its work counts too: on a busy machine an engine at work may take seconds to answer, and
 *   killing it would make that worse. One that crashed ends by itself (warehouse/open-engine.ts).
 */
export function watchHeartbeat(
  { pid, socketPath }: { readonly pid: number; readonly socketPath: string },
  onSilence: () => void,
): () => void {
  const work = watchWork(pid);
  let heardAt = performance.now();
  let lastTickAt = heardAt;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsked = false;

  function isSilent(now: number): boolean {
    if (now - heardAt < DOUBT_MS) {
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
    if (isAsked || now - askedAt < BEAT_MS - LOOK_EVERY_MS / 2) return;
    isAsked = true;
    askedAt = now;
    beat(socketPath, (isAnswered) => {
      isAsked = false;
      if (isAnswered) heardAt = performance.now();
    });
  }, LOOK_EVERY_MS);
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
