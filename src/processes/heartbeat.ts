import { Agent, request } from 'node:http';

/** Stops listening for the heartbeat. */
export type StopHeartbeat = () => void;

const BEAT_MS = 1_000;
/** A crashed engine swallows its signal and hangs; silence is how it shows (architecture). */
export const SILENCE_MAX_MS = 5_000;

/**
 * Asks the embedded engine a trifle every second and tells of five seconds without an answer.
 *
 * Why a statement and not a ping: the process can answer while the engine inside it hangs.
 */
export function watchHeartbeat(socketPath: string, onSilence: () => void): StopHeartbeat {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answeredAt = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - answeredAt > SILENCE_MAX_MS) {
      answeredAt = performance.now();
      onSilence();
      return;
    }
    beat(agent, socketPath, () => {
      answeredAt = performance.now();
    });
  }, BEAT_MS);
  return () => {
    clearInterval(timer);
    agent.destroy();
  };
}

function beat(agent: Agent, socketPath: string, onAnswer: () => void): void {
  const options = { agent, socketPath, method: 'POST', path: '/', timeout: SILENCE_MAX_MS };
  const asked = request(options, (response) => {
    response.resume();
    response.on('end', onAnswer);
  });
  asked.on('error', () => {}); // No answer; the silence is what counts.
  asked.on('timeout', () => asked.destroy());
  asked.end('SELECT 1');
}
