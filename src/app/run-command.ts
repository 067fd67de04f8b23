import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
/** Of what a command says, that many characters are kept. */
const SAID_MAX = 100_000;

/** How a command ended: its exit code, and what it wrote. */
export type CommandEnd = {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
};

/**
 * Starts a command of `tributary` on a data directory, as a process of its own: requests should not wait
 * for its work.
 */
export function startCommand(dataDir: string, args: readonly string[]) {
  const child: ChildProcess = fork(MAIN, [...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said = { output: '', errors: '' };
  child.stdout?.on('data', (text) => {
    said.output = `${said.output}${text}`.slice(-SAID_MAX);
  });
  child.stderr?.on('data', (text) => {
    said.errors = `${said.errors}${text}`.slice(-SAID_MAX);
  });
  const { promise: ended, resolve } = Promise.withResolvers<CommandEnd>();
  child.on('error', ({ message }) => resolve({ code: null, output: '', errors: message }));
  child.on('close', (code) => resolve({ code, ...said }));
  return { child, ended };
}
