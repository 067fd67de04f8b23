import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * For tests only: a file that lists where to kill the processes, one point per line, such as `after
 * warehouse insert`. In production it is unset, and nothing is read or done.
 */
const PLAN_PATH = process.env.TRIBUTARY_TEST_CRASH_PLAN;

/** Steps before and after which a test can kill the process. */
export type CrashPoint =
  | 'journal commit'
  | 'ledger commit'
  | 'answer'
  | 'shipment note'
  | 'warehouse insert'
  | 'completion'
  | 'archive'
  | 'journal delete'
  | 'outbox delete'
  | 'payments insert'
  | 'payments note'
  | 'ledger schema'
  | 'provider events';

/** Kills this process with SIGKILL when the first line of the plan names this point. */
export function crashPoint(when: 'before' | 'after', step: CrashPoint): void {
  if (PLAN_PATH !== undefined) crashIfPlanned(PLAN_PATH, `${when} ${step}`);
}

/** Runs the work between its two crash points, and returns its result. */
export function around<T>(step: CrashPoint, work: () => T): T {
  if (PLAN_PATH === undefined) return work();
  crashPoint('before', step);
  const answer = work();
  if (!(answer instanceof Promise)) {
    crashPoint('after', step);
    return answer;
  }
  return answer.then((value) => {
    crashPoint('after', step);
    return value;
  }) as T;
}

/** The crash point after each answer is sent. Undefined in production. */
export const crashAfterAnswer =
  PLAN_PATH === undefined ? undefined : () => crashPoint('after', 'answer');

function crashIfPlanned(path: string, point: string): void {
  let plan = '';
  try {
    plan = readFileSync(path, 'utf8');
  } catch {
    return; // There is no plan.
  }
  const [first, ...rest] = plan.trim().split('\n');
  if (first !== point) return;
  if (rest.length > 0) writeFileSync(path, rest.join('\n'));
  else rmSync(path, { force: true });
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); // Block until the signal arrives.
}
