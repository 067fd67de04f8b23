import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { after, before, describe } from 'node:test';
import { type FileCost, noteCost, readProcessorMs } from './file-costs.ts';

/**
 * Runs test files one after the other in this process, each as a suite of its own: hooks at the top
 * of a file hold for that file.
 *
 * Why not a process for each file: half of the processor time of a small one goes into starting Node
 * and loading the sources.
 */
export function runGroup(files: readonly string[]): void {
  const load = createRequire(import.meta.url);
  for (const file of files) {
    describe(relative(process.cwd(), file), () => {
      let start: FileCost;
      before(() => {
        start = { file, wallMs: performance.now(), processorMs: readProcessorMs() };
      });
      // `import()` would load it outside of this suite.
      load(file);
      after(() => {
        noteCost({
          file,
          wallMs: performance.now() - start.wallMs,
          processorMs: readProcessorMs() - start.processorMs,
        });
      });
    });
  }
}
