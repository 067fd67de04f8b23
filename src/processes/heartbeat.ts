import type { ChildProcess } from 'node:child_process';
import { keepRunning } from '#jobs/keep-running.ts';
import { HEARTBEAT_PATH } from '#warehouse/engine/heartbeat-path.ts';
import { readMainThread, watchWork } from '#warehouse/engine/watch-work.ts';

const { request } = process.getBuiltinModule('node:http'); // Its import would load `fetch` too: 5 MB.

const BEAT_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** After this silence, the process's CPU use is watched. A healthy one answers within a beat and a bit. */
const DOUBT_MS = 1_250;
/**
 * How long an idle engine may be silent. The check two seconds after its last answer decides, which leaves
 * three of the promised five seconds for its restart.
 */
const ENGINE_SILENCE_MAX_MS = 1_750;
/** How long the web process may be silent; longer than it waits for a lock on the ledger. */
const WEB_SILENCE_MAX_MS = 6_000;
/** How long a busy web process may be silent: longer than any work takes, so it is in an endless loop. */
const WEB_BUSY_SILENCE_MAX_MS = 60_000;
/** Longer than any wait for a CPU on a usable machine. */
const ENGINE_BUSY_SILENCE_MAX_MS = 30_000;
/** After such a delay, this process itself was stopped or starved, and may have missed answers. */
const AWAY_MS = 2 * BEAT_MS;

/** Sends beats to a process, and decides how long it may be silent. */
type Heart = {
  beat(onEnd: (isAnswered: boolean) => void): void;
  /** Called at each check while the process is in doubt. */
  findSilenceMaxMs(): number;
  /** Called while the process is healthy. */
  forget(): void;
};

/**
 * Sends the embedded engine a trivial query every second, and calls `onSilence` if it stops answering.
 * Returns a function that stops the watch.
 *
 * - Why a statement instead of a ping: the process can answer while the engine inside it hangs.
 * - Why its CPU use counts: on a busy machine, a working engine may take seconds to answer, and killing
 *   it would make that worse. An engine that crashed exits by itself (warehouse/open-engine.ts).
 */
export function watchEngine(
  { pid, socketPath }: { readonly pid: number; readonly socketPath: string },
  onSilence: () => void,
): () => void {
  const work = watchWork(pid);
  const heart: Heart = {
    beat: (onEnd) => requestBeat(socketPath, onEnd),
    findSilenceMaxMs: () => (work.isAtWork() ? ENGINE_BUSY_SILENCE_MAX_MS : ENGINE_SILENCE_MAX_MS),
    forget: work.forget,
  };
  return watchHeart(heart, onSilence);
}

/**
 * Sends the web process a message every second, and calls `onSilence` if it stops answering. Returns a
 * function that stops the watch.
 *
 * - Why a message instead of a request: a flood of requests, or too many connections, must not get it
 *   killed.
 * - Why its main thread counts: it answers when it gets around to it. While it runs, or waits for a CPU or the disk, it
 *   is slow: killing it would lose its work, and its clients would send the same again. Else it hangs.
 */
export function watchWeb(
  child: ChildProcess,
  onSilence: () => void,
  busyMaxMs = WEB_BUSY_SILENCE_MAX_MS,
): () => void {
  let ranBeforeMs: number | undefined;
  const heart: Heart = {
    beat: (onEnd) => sendBeat(child, onEnd),
    findSilenceMaxMs() {
      const main = readMainThread(child.pid ?? 0);
      const ranMs = (main?.ranMs ?? 0) - (ranBeforeMs ?? 0);
      ranBeforeMs = main?.ranMs;
      return main?.isWaiting || ranMs > LOOK_EVERY_MS / 2 ? busyMaxMs : WEB_SILENCE_MAX_MS;
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

  function look(): void {
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
  }
  const job = keepRunning({ name: 'heartbeat', everyMs: LOOK_EVERY_MS, run: look });
  return () => void job.stop();
}

/** Uses a new connection: a kept-alive one may still work when new connections no longer do. */
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

/** Sends a beat. An unanswered one ends with its process. */
function sendBeat(child: ChildProcess, onEnd: (isAnswered: boolean) => void): void {
  const end = (isAnswered: boolean) => {
    child.off('message', hear);
    onEnd(isAnswered);
  };
  const hear = (message: { kind?: string }) => message.kind === BEAT && end(true);
  child.on('message', hear);
  child.send({ kind: BEAT }, (error) => error && end(false));
}

/** Answers every beat of the parent while this thread's event loop runs. */
export function answerBeats(): void {
  process.on('message', (message: { kind?: string }) => {
    if (message.kind === BEAT) process.send?.({ kind: BEAT }, () => {}); // The parent may be gone.
  });
}
