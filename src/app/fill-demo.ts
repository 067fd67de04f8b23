import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Of the end of a command's errors, that many characters are kept. */
const SAID_MAX = 500;

/** How far the demo shop is filled. */
export type Filling = {
  /** Visitors whose events have been sent, and all there will be; undefined before the first. */
  readonly done: number | undefined;
  readonly total: number | undefined;
  /** Why the last one failed; undefined while one is under way. */
  readonly failure: string | undefined;
};

/** Fills the demo shop, beside the work of the server. */
export type DemoFiller = {
  /** What is under way, or how the last one failed; undefined when neither. */
  readonly find: () => Filling | undefined;
  readonly start: () => void;
  readonly stop: () => void;
};

/**
 * Runs `tributary demo` as a process of its own: the visitors of a year are some work, and requests should
 * not wait for it. At most one at a time.
 */
export function createDemoFiller(dataDir: string): DemoFiller {
  const main = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
  let child: ChildProcess | undefined;
  let filling: Filling | undefined;
  function start(): void {
    if (child !== undefined) return;
    let said = '';
    const own = fork(main, ['demo', '--json'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child = own;
    filling = { done: undefined, total: undefined, failure: undefined };
    own.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-SAID_MAX);
    });
    own.on('message', ({ passed, total }: { passed: number; total: number }) => {
      if (child === own) filling = { done: passed, total, failure: undefined };
    });
    const end = (failure: string | undefined) => {
      if (child !== own) return; // It was stopped.
      child = undefined;
      filling = failure === undefined ? undefined : { done: undefined, total: undefined, failure };
    };
    own.on('error', ({ message }) => end(message));
    own.on('exit', (code) => end(code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? '')));
  }
  function stop(): void {
    const own = child;
    child = undefined;
    filling = undefined;
    own?.kill('SIGTERM');
  }
  return { find: () => filling, start, stop };
}
