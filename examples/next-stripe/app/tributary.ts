import { setTimeout as sleep } from 'node:timers/promises';
import type { NextRequest } from 'next/server';

/** Two minutes in all: nobody waits for a goal. */
const WAITS_MS = [500, 2_000, 8_000, 30_000, 80_000];

/** The answers after which a request is worth repeating. */
const RETRIED = new Set([408, 429, 500, 503]);

/** The cookies of a request. The script keeps the visitor's id in `service_visitor_id`, unless it was blocked. */
export function readCookies(request: NextRequest): Record<string, string> {
  return Object.fromEntries(request.cookies.getAll().map(({ name, value }) => [name, value]));
}

/**
 * Reports a goal, and repeats it until Tributary has it. Repeated with the same key, it counts once.
 *
 * It never throws: a goal must not fail a customer. What still waits when the process ends is lost: if you have a queue of
 * jobs, put the call there instead.
 */
export async function reportGoal(
  visitorId: string | undefined,
  name: string,
  metadata: Record<string, string>,
  key: string,
): Promise<void> {
  if (!visitorId) return;
  const goal = { service_visitor_id: visitorId, name, metadata };
  for (const waitMs of [...WAITS_MS, undefined]) {
    const answer = await post('/api/v1/goals', goal, key);
    if (answer?.ok) return;
    if (waitMs === undefined || (answer && !RETRIED.has(answer.status))) {
      const why = answer ? `${answer.status} ${await answer.text()}` : 'it does not answer';
      console.error(`Tributary did not take the goal ${name}: ${why}`);
      return;
    }
    await sleep(Math.max(waitMs, Number(answer?.headers.get('retry-after')) * 1_000 || 0));
  }
}

/** Undefined if there is no answer. */
function post(path: string, body: object, key: string): Promise<Response | undefined> {
  const { TRIBUTARY_URL = 'http://127.0.0.1:8787', TRIBUTARY_KEY } = process.env;
  return fetch(new URL(path, TRIBUTARY_URL), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TRIBUTARY_KEY}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    cache: 'no-store',
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
}
