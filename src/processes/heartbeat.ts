import type { ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { HEARTBEAT_PATH } from '#warehouse/engine/heartbeat-path.ts';
import { readMainThread, watchWork } from '#warehouse/engine/watch-work.ts';

const BEAT_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** From then on its work is watched: an engine that is well is heard within a beat and a moment. */
const DOUBT_MS = 1_250;
/**
 * How long an engine that does nothing may be silent: the check two seconds after its last answer decides,
 * and leaves it three to be back within the five that are promised.
 */
const ENGINE_SILENCE_MAX_MS = 1_750;
/** How long the web process may be silent: longer than it waits for a lock on the ledger. */
const WEB_SILENCE_MAX_MS = 6_000;
/** One that has had a processor for so long answers nobody any more. */
const WEB_RUN_MAX_MS = 4_000;
/** Longer than any wait for a processor on a machine that is of use at all. */
const BUSY_SILENCE_MAX_MS = 30_000;
/** A look that comes so late was stopped or starved itself, and has heard nothing. */
const AWAY_MS = 2 * BEAT_MS;

/** How a process is asked whether it is well, and how long it may be silent. */
type Heart = {
  beat(onEnd: (isAnswered: boolean) => void): void;
  /** Called at each look while it is in doubt. */
  findSilenceMaxMs(): number;
  /** Called while it is well. */
  forget(): void;
};

/**
 * Sends the embedded engine a trivial query every second and calls `onSilence` when no answer comes.
 * Returns what stops it.
 *
 * - Why a statement and not a ping: the process can answer while the engine inside it hangs.
 * - Why its work counts too: on a busy machine an engine at work may take seconds to answer, and
 *   killing it would make that worse. One that crashed ends by itself (warehouse/open-engine.ts).
 */
export function watchEngine(
  { pid, socketPath }: { readonly pid: number; readonly socketPath: string },
  onSilence: () => void,
): () => void {
  const work = watchWork(pid);
  const heart: Heart = {
    beat: (onEnd) => requestBeat(socketPath, onEnd),
    findSilenceMaxMs: () => (work.isAtWork() ? BUSY_SILENCE_MAX_MS : ENGINE_SILENCE_MAX_MS),
    forget: work.forget,
  };
  return watchHeart(heart, onSilence);
}

/**
 * Sends the web process a message every second and calls `onSilence` when none comes back. Returns what
 * stops it.
 *
 * - Why a message and not a request: a flood of requests, or a full limit of connections, is no reason to
 *   kill it.
 * - Why only its main thread counts: it answers between any two things it does. One that has had a processor
 *   for seconds and has not answered is blocked; one that waits for a processor or the disk is not.
 */
export function watchWeb(child: ChildProcess, onSilence: () => void): () => void {
  let ranBeforeMs: number | undefined;
  const heart: Heart = {
    beat: (onEnd) => sendBeat(child, onEnd),
    findSilenceMaxMs() {
      const main = readMainThread(child.pid ?? 0);
      ranBeforeMs ??= main?.ranMs;
      const isBlocked = (main?.ranMs ?? 0) - (ranBeforeMs ?? 0) > WEB_RUN_MAX_MS;
      return main?.isWaiting && !isBlocked ? BUSY_SILENCE_MAX_MS : WEB_SILENCE_MAX_MS;
    },
    forget() {
      ranBeforeMs = undefined;
    },
  };
  return watchHeart(heart, onSilence);
}

function watchHeart(heart: Heart, onSilence: () => void): () => void {
  let heardAt = performance.now();
  let lastTickAt = heardAt;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsked = false;

  function isSilent(now: number): boolean {
    if (now - heardAt < DOUBT_MS) {
      heart.forget();
      return false;
    }
    return now - heardAt > heart.findSilenceMaxMs();
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
    heart.beat((isAnswered) => {
      isAsked = false;
      if (isAnswered) heardAt = performance.now();
    });
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** On a connection of its own: one that is kept hears an engine that nobody else reaches any more. */
function requestBeat(socketPath: string, onEnd: (isAnswered: boolean) => void): void {
  const asked = request({ agent: false, socketPath, path: HEARTBEAT_PATH }, (response) => {
    response.resume();
    response.on('close', () => onEnd(response.complete));
  });
  asked.on('error', () => onEnd(false)); // No answer; the silence is what counts.
  asked.end();
}

/** The message that {@link answerBeats} sends back. */
const BEAT = 'beat';

/** A message that is never answered ends with its process. */
function sendBeat(child: ChildProcess, onEnd: (isAnswered: boolean) => void): void {
  const end = (isAnswered: boolean) => {
    child.off('message', hear);
    onEnd(isAnswered);
  };
  const hear = (message: { kind?: string }) => message.kind === BEAT && end(true);
  child.on('message', hear);
  child.send({ kind: BEAT }, (error) => error && end(false));
}

/** Answers every beat of the parent, as long as this thread does anything at all. */
export function answerBeats(): void {
  process.on('message', (message: { kind?: string }) => {
    if (message.kind === BEAT) process.send?.({ kind: BEAT }, () => {}); // A parent that is gone ends this.
  });
}
