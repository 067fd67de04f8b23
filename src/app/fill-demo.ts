import type { ChildProcess } from 'node:child_process';
import { startCommand } from './run-command.ts';

type Filling = {
  /** The number of visitors sent so far, and in total; `undefined` before the first. */
  readonly done: number | undefined;
  readonly total: number | undefined;
  /** Why the last attempt failed; `undefined` while one is running. */
  readonly failure: string | undefined;
};

const NOTHING_YET: Filling = { done: undefined, total: undefined, failure: undefined };

/** Runs `tributary demo`, at most once at a time. */
export function createDemoFiller(dataDir: string) {
  let child: ChildProcess | undefined;
  /** The running attempt, or the last one if it failed. */
  let filling: Filling | undefined;
  function start(): void {
    if (child !== undefined) return;
    const command = startCommand(dataDir, ['demo', '--json']);
    const own = command.child;
    child = own;
    filling = NOTHING_YET;
    own.on('message', ({ passed, total }: { passed: number; total: number }) => {
      if (child === own) filling = { done: passed, total, failure: undefined };
    });
    void command.ended.then(({ code, errors }) => {
      if (child !== own) return; // It was stopped.
      child = undefined;
      const failure = errors.trim().split('\n').at(-1) ?? '';
      filling = code === 0 ? undefined : { ...NOTHING_YET, failure };
    });
  }
  function stop(): void {
    const own = child;
    child = undefined;
    filling = undefined;
    own?.kill('SIGTERM');
  }
  return { find: () => filling, start, stop };
}
