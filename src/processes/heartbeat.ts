import { Agent, request } from 'node:http';
import { HEARTBEAT_PATH } from '#warehouse/heartbeat-path.ts';

/** Stops listening for the heartbeat. */
export type StopHeartbeat = () => void;

const BEAT_MS = 1_000;
/**
 * A crashed engine swallows its signal and hangs; silence is how it shows.
 * Half a second short of a beat, so that the third beat without an answer tells; it then has two
 * seconds to be back within the five that are promised.
 */
const SILENCE_MAX_MS = 2_500;

/**
 * Asks the embedded engine a trifle every second and tells when it stays silent.
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
  const options = { agent, socketPath, path: HEARTBEAT_PATH, timeout: SILENCE_MAX_MS };
  const asked = request(options, (response) => {
    response.resume();
    response.on('end', onAnswer);
  });
  asked.on('error', () => {}); // No answer; the silence is what counts.
  asked.on('timeout', () => asked.destroy());
  asked.end();
}
