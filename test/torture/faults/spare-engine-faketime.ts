import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded into the server by row T7 (`NODE_OPTIONS=--import`), never by the server itself: starts the engine without
 * faketime's library, so that it keeps the machine's clock.
 *
 * Why: the engine reads the clock without that library, but its waits use it. With the clock behind, a wait of a
 * second lasts a year and its background work never runs; with the clock ahead no wait waits, and it uses both cores.
 * A machine with a wrong clock does neither.
 */
const fork = childProcess.fork as (main: string, ...rest: unknown[]) => childProcess.ChildProcess;
childProcess.fork = ((main: string, ...rest: unknown[]) =>
  fork(
    main,
    ...(/\/engine-child\.[jt]s$/.test(main) ? rest.map(withoutLibrary) : rest),
  )) as typeof childProcess.fork;
syncBuiltinESMExports();

/** A fork's options without the library in the environment; others unchanged. */
function withoutLibrary(argument: unknown): unknown {
  const options = argument as childProcess.ForkOptions;
  if (options.env === undefined) return argument;
  const { LD_PRELOAD: _library, ...env } = options.env;
  return { ...options, env };
}
