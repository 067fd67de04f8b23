import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

/** Opens an engine, and reports when it is open. */
const ENGINE = `
  const { openEngine } = await import(process.argv[3]);
  await openEngine(process.argv[2]);
  process.send('open');
  setInterval(() => {}, 1_000);`;

describe('a process with the embedded engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-crash-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const signal of ['SIGSEGV', 'SIGABRT'] as const) {
    it(`ends at once by ${signal}`, async () => {
      const main = join(folder, 'engine.mjs');
      writeFileSync(main, ENGINE);
      const source = new URL('./open-engine.ts', import.meta.url).href;
      const child = fork(main, [join(folder, signal), source]);
      await once(child, 'message');
      child.kill(signal);
      assert.deepEqual(await once(child, 'exit'), [null, signal]);
    });
  }
});
