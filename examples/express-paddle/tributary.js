import { randomUUID } from 'node:crypto';
import { retry } from './retry.js';

const { TRIBUTARY_URL = 'http://127.0.0.1:8787', TRIBUTARY_KEY } = process.env;

/** Two minutes in all: nobody waits for a goal. */
const WAITS_MS = [500, 2_000, 8_000, 30_000, 80_000];

/** The answers after which a request is worth repeating. */
const RETRIED = new Set([408, 429, 500, 503]);

/** The cookies of a request. The script keeps the visitor's id in `service_visitor_id`, unless it was blocked. */
export function readCookies(request) {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name, ...value]) => [name, value.join('=')]));
}

/**
 * Reports a goal, and repeats it until Tributary has it. Repeated with the same key, it counts once.
 *
 * It never throws, and nobody has to wait for it: a goal must not fail a customer.
 */
export async function reportGoal(visitorId, name, metadata, key = randomUUID()) {
  if (!visitorId) return;
  try {
    const goal = { service_visitor_id: visitorId, name, metadata };
    await retry(WAITS_MS, () => post('/api/v1/goals', goal, key));
  } catch (error) {
    console.error(`Tributary did not take the goal ${name}: ${error.message}`);
  }
}

async function post(path, body, key) {
  const answer = await fetch(new URL(path, TRIBUTARY_URL), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TRIBUTARY_KEY}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
  if (answer.ok) return;
  throw Object.assign(new Error(`${answer.status} ${await answer.text()}`), {
    isFinal: !RETRIED.has(answer.status),
    waitMs: Number(answer.headers.get('retry-after')) * 1_000,
  });
}
