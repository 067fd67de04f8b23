/** How bad it is, in the server's words. */
type Level = 'warn' | 'error' | 'fatal';

/** A log that can be written to before there is one. */
export interface EarlyLog {
  /** What is told before `begin` waits for it, or for the end of the process. */
  tell(level: Level, fields: object, message: string): void;
  begin(log: Log): void;
}

type Log = Readonly<Record<Level, (fields: object, message: string) => void>>;

/**
 * A log for stores that are at work before the server is.
 *
 * Why not the server's: whoever fails before it is made would end the process with that.
 */
export function createEarlyLog(): EarlyLog {
  const early: Parameters<EarlyLog['tell']>[] = [];
  let write: EarlyLog['tell'] = (...told) => void early.push(told);
  const tellAtEnd = () => {
    for (const [, fields, message] of early) process.stderr.write(`${message} ${toText(fields)}\n`);
  };
  process.once('exit', tellAtEnd);
  return {
    tell: (...told) => write(...told),
    begin(log) {
      process.off('exit', tellAtEnd);
      write = (level, fields, message) => log[level](fields, message);
      for (const told of early.splice(0)) write(...told);
    },
  };
}

function toText(fields: object): string {
  return Object.values(fields).map(String).join(' ');
}
