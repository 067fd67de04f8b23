import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
/** The maximum number of characters kept of a command's output. */
const OUTPUT_MAX = 100_000;

/** Starts a `tributary` command as a separate process, so that requests do not wait for its work. */
export function startCommand(dataDir: string, args: readonly string[]) {
  const child: ChildProcess = fork(MAIN, [...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said = { output: '', errors: '' };
  child.stdout?.on('data', (text) => {
    said.output = `${said.output}${text}`.slice(-OUTPUT_MAX);
  });
  child.stderr?.on('data', (text) => {
    said.errors = `${said.errors}${text}`.slice(-OUTPUT_MAX);
  });
  type End = typeof said & { readonly code: number | null };
  const { promise: ended, resolve } = Promise.withResolvers<End>();
  child.on('error', ({ message }) => resolve({ code: null, output: '', errors: message }));
  child.on('close', (code) => resolve({ code, ...said }));
  return { child, ended };
}
