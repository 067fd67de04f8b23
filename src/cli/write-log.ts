/**
 * Writes one line of JSON to stderr, in the form of the web process's own log.
 *
 * Why not the logger of the web process: the supervisor loads next to nothing, to stay small.
 */
export function writeLog(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const LEVELS = { info: 30, warn: 40, error: 50 };
  const line = {
    level: LEVELS[level],
    time: Date.now(),
    pid: process.pid,
    ...fields,
    msg: message,
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
