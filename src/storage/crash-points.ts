import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * For tests only: the path of a file that names, line by line, where the processes are to be killed,
 * such as `after warehouse insert`. Left out, as it always is in service, nothing is read or done.
 */
const PLAN_PATH = process.env.TRIBUTARY_TEST_CRASH_PLAN;

/** What may be cut off before or after it is done. */
export type Step =
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
  | 'ledger schema';

/** Kills this process with SIGKILL when the first line of the plan names this point. */
export function crashPoint(when: 'before' | 'after', step: Step): void {
  if (PLAN_PATH !== undefined) crashIfPlanned(PLAN_PATH, `${when} ${step}`);
}

/** What the work answers; the process may be killed before and after it. */
export function around<T>(step: Step, work: () => T): T {
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

/** Called after every answer that is out, a point where a test may kill the process; nothing in service. */
export const crashAfterAnswer =
  PLAN_PATH === undefined ? undefined : () => crashPoint('after', 'answer');

function crashIfPlanned(path: string, point: string): void {
  let plan = '';
  try {
    plan = readFileSync(path, 'utf8');
  } catch {
    return; // Nothing is planned just now.
  }
  const [first, ...rest] = plan.trim().split('\n');
  if (first !== point) return;
  if (rest.length > 0) writeFileSync(path, rest.join('\n'));
  else rmSync(path, { force: true });
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); // Nothing more is done meanwhile.
}
