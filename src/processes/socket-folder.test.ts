import assert from 'node:assert/strict';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseSettings } from '#settings.ts';
import { findSocketFolder, makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { withWarehouse } from './with-warehouse.ts';

describe('the folder of sockets', () => {
  const root = mkdtempSync(join(tmpdir(), 'tributary-sockets-'));
  const long = join(root, 'long'.repeat(25), 'run');
  mkdirSync(long, { recursive: true });
  after(() => {
    removeSocketFolder(long);
    rmSync(root, { recursive: true });
  });

  function makeAndFind(run: string): string {
    makeSocketFolder(run);
    return findSocketFolder(run);
  }

  it('is in the data directory if its path leaves room', () => {
    assert.equal(makeAndFind(join(root, 'run')), join(root, 'run'));
  });

  it('else is a private one under a new name each time, which nobody knows beforehand', () => {
    const folder = makeAndFind(long);
    assert.ok(folder.length < 90, folder);
    assert.equal(lstatSync(folder).mode & 0o777, 0o700);
    removeSocketFolder(long);
    assert.equal(existsSync(folder), false);
    assert.notEqual(makeAndFind(long), folder);
  });

  it('is not shared with a copy of the data directory, nor removed with it', () => {
    const folder = makeAndFind(long);
    const copy = join(root, 'copy'.repeat(25), 'run');
    cpSync(long, copy, { recursive: true, verbatimSymlinks: true });
    assert.notEqual(makeAndFind(copy), folder);
    removeSocketFolder(copy);
    assert.ok(existsSync(folder));
  });

  it('is where an engine is found', async () => {
    const settings = parseSettings({ DATA_DIR: join(root, 'deep'.repeat(25)) });
    assert.ok(settings.ok);
    const rows = await withWarehouse(settings.value, (warehouse) =>
      warehouse.select({ sql: 'SELECT 1 AS one' }),
    );
    assert.deepEqual(rows, [{ one: 1 }]);
  });
});
