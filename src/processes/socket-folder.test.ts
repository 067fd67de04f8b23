import assert from 'node:assert/strict';
import { chmodSync, cpSync, lstatSync, mkdtempSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseSettings } from '#settings.ts';
import { findSocketFolder, makeSocketFolder } from './socket-folder.ts';
import { withWarehouse } from './with-warehouse.ts';

describe('the folder of sockets', () => {
  const root = mkdtempSync(join(tmpdir(), 'tributary-sockets-'));
  const long = join(root, 'long'.repeat(25), 'run');
  const made = new Set<string>();
  after(() => {
    for (const each of [root, ...made]) rmSync(each, { recursive: true, force: true });
  });

  function makeAndFind(run: string): string {
    makeSocketFolder(run);
    const folder = findSocketFolder(run);
    made.add(folder);
    assert.equal(lstatSync(folder).mode & 0o777, 0o700);
    return folder;
  }

  it('is in the data directory if its path leaves room', () => {
    assert.equal(makeAndFind(join(root, 'run')), join(root, 'run'));
  });

  it('else is elsewhere, under a name that nobody knows beforehand, and stays there', () => {
    const folder = makeAndFind(long);
    assert.ok(folder.length < 90, folder);
    assert.equal(makeAndFind(long), folder);
    rmSync(join(long, 'sockets'));
    assert.notEqual(makeAndFind(long), folder);
  });

  it('is made again if it was cleaned up', () => {
    const folder = makeAndFind(long);
    rmdirSync(folder);
    assert.equal(makeAndFind(long), folder);
  });

  it('is another one if others have access to it, or it is a link', () => {
    const open = makeAndFind(long);
    chmodSync(open, 0o755);
    const ours = makeAndFind(long);
    assert.notEqual(ours, open);
    rmdirSync(ours);
    symlinkSync(open, ours);
    assert.notEqual(makeAndFind(long), ours);
  });

  it('is not shared with a copy of the data directory', () => {
    const folder = makeAndFind(long);
    const copy = join(root, 'copy'.repeat(25), 'run');
    cpSync(long, copy, { recursive: true, verbatimSymlinks: true });
    assert.notEqual(makeAndFind(copy), folder);
  });

  it('is where an engine is found', async () => {
    const settings = parseSettings({ DATA_DIR: join(root, 'deep'.repeat(25)) });
    assert.ok(settings.ok);
    const rows = await withWarehouse(settings.value, (warehouse) =>
      warehouse.select({ sql: 'SELECT 1 AS one' }),
    );
    made.add(findSocketFolder(join(settings.value.dataDir, 'run')));
    assert.deepEqual(rows, [{ one: 1 }]);
  });
});
