import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded into the server by row T7 (`NODE_OPTIONS=--import`), never by the server itself: the engine
 * is started without faketime's library, and so keeps the machine's clock.
 *
 * Why so: the engine reads the clock past that library, yet its waits go through it. With the clock
 * behind, a wait of a second lasts a year and its background work never comes; with the clock ahead
 * no wait waits, and it takes both cores. Neither happens on a machine whose clock is wrong.
 */
const fork = childProcess.fork as (main: string, ...rest: unknown[]) => childProcess.ChildProcess;
childProcess.fork = ((main: string, ...rest: unknown[]) =>
  fork(
    main,
    ...(main.endsWith('/engine-child.ts') ? rest.map(withoutLibrary) : rest),
  )) as typeof childProcess.fork;
syncBuiltinESMExports();

/** The options of a fork without the library in their environment; anything else as it is. */
function withoutLibrary(argument: unknown): unknown {
  const options = argument as childProcess.ForkOptions;
  if (options.env === undefined) return argument;
  const { LD_PRELOAD: _library, ...env } = options.env;
  return { ...options, env };
}
