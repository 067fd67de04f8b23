import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseSettings } from '#settings.ts';
import { withWarehouse } from './with-warehouse.ts';

describe('a command that starts an engine of its own', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-command-'));
  after(() => rmSync(dataDir, { recursive: true }));
  const parsed = parseSettings({ DATA_DIR: dataDir });
  assert.ok(parsed.ok);
  const settings = parsed.value;

  it('says what went wrong when the engine was killed under it', async () => {
    const work = withWarehouse(settings, async (warehouse) => {
      process.kill(enginePid(), 'SIGKILL');
      await sleep(500); // It is known to be gone before anything is asked of it.
      await warehouse.select({ sql: 'SELECT 1' });
    });
    await assert.rejects(within(60_000, work), /The warehouse is not responding/);
  });

  it('says what went wrong when the engine hears no signal any more', async () => {
    let pid = 0;
    const work = withWarehouse(settings, async () => {
      pid = enginePid();
      process.kill(pid, 'SIGSTOP');
      throw new Error('the real trouble');
    });
    try {
      await assert.rejects(within(60_000, work), /the real trouble/);
    } finally {
      killHard(pid);
    }
  });
});

/** Nobody else is a child of this test's process. */
function enginePid(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  const [pid, ...others] = children.trim().split(' ').map(Number);
  assert.ok(pid !== undefined && pid > 0 && others.length === 0);
  return pid;
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone, as it should be.
  }
}

async function within<T>(maxMs: number, work: Promise<T>): Promise<T> {
  const late = sleep(maxMs, undefined, { ref: false }).then(() => {
    throw new Error(`nothing within ${maxMs} ms`);
  });
  return Promise.race([work, late]);
}
