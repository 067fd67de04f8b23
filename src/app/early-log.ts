/** How bad it is, in the server's words. */
type Level = 'warn' | 'error' | 'fatal';

/** A log that can be written to before there is one. */
export interface EarlyLog {
  /** Lines before `begin` wait for it, or for the end of the process. */
  write(level: Level, fields: object, message: string): void;
  begin(log: Log): void;
}

type Log = Readonly<Record<Level, (fields: object, message: string) => void>>;

/**
 * A log for stores that are at work before the server is.
 *
 * Why not the server's: a failure before it is made would end the process.
 */
export function createEarlyLog(): EarlyLog {
  const early: Parameters<EarlyLog['write']>[] = [];
  let write: EarlyLog['write'] = (...line) => void early.push(line);
  const writeAtEnd = () => {
    for (const [, fields, message] of early) process.stderr.write(`${message} ${toText(fields)}\n`);
  };
  process.once('exit', writeAtEnd);
  return {
    write: (...line) => write(...line),
    begin(log) {
      process.off('exit', writeAtEnd);
      write = (level, fields, message) => log[level](fields, message);
      for (const line of early.splice(0)) write(...line);
    },
  };
}

function toText(fields: object): string {
  return Object.values(fields).map(String).join(' ');
}
