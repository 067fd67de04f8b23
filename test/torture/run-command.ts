import { execFile } from 'node:child_process';
import { MAIN } from '../server/program.ts';

/** A command's exit and output. */
export type Ran = {
  readonly code: number;
  readonly stdout: string;
  /** The end of its output. */
  readonly text: string;
};

const MAX_MS = 90_000;

/** Runs one CLI command on the data in `dataDir`; the code is -1 if it had to be killed. */
export function runCommand(args: readonly string[], dataDir: string): Promise<Ran> {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { env, timeout: MAX_MS, killSignal: 'SIGKILL' },
      (_error, stdout, stderr) =>
        resolve({
          code: child.exitCode ?? -1,
          stdout,
          text: `${stdout}${stderr}`.slice(-600),
        }),
    );
  });
}
