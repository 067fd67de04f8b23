import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { after, before, describe } from 'node:test';
import { type FileCost, noteCost, readProcessorMs } from './file-costs.ts';

/**
 * Runs test files one by one in this process, each as its own suite: top-level hooks of a file apply to that file.
 *
 * Why not one process per file: half of the CPU time of a small one goes into starting Node and loading the sources.
 */
export function runGroup(group: string, files: readonly string[]): void {
  const load = createRequire(import.meta.url);
  let filesMs = 0;
  for (const file of files) {
    describe(relative(process.cwd(), file), () => {
      let start: FileCost;
      before(() => {
        start = { file, wallMs: performance.now(), processorMs: readProcessorMs() };
      });
      // `import()` would load it outside this suite.
      load(file);
      after(() => {
        const processorMs = readProcessorMs() - start.processorMs;
        filesMs += processorMs;
        noteCost({ file, wallMs: performance.now() - start.wallMs, processorMs });
      });
    });
  }
  // Their shared resources have ended by now (keep-open.ts), so their cost is known.
  after(() => {
    const file = `${group} (start, and what files share)`;
    noteCost({ file, wallMs: performance.now(), processorMs: readProcessorMs() - filesMs });
  });
}
