import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Session } from 'chdb';
import { createWarehouse, type Warehouse } from './client.ts';
import { createEngineFace, type EngineFace } from './engine-face.ts';
import { openEngine } from './open-engine.ts';
import { createAskWriteMark } from './write-mark.ts';

describe('the mark of what was written into an engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-mark-'));
  const socketPath = join(folder, 'e.sock');
  let engine: Session;
  let face: EngineFace;
  let warehouse: Warehouse;
  const listen = async () => {
    face = createEngineFace({ writes: [engine], lookups: [engine], questions: [engine] }, engine, {
      folder,
    });
    await new Promise<void>((resolve) => face.server.listen(socketPath, resolve));
  };

  before(async () => {
    engine = await openEngine(join(folder, 'warehouse'));
    await listen();
    warehouse = createWarehouse({ kind: 'embedded', socketPath });
    await warehouse.command({ sql: 'CREATE TABLE rows (n UInt8) ENGINE = MergeTree ORDER BY n' });
  });
  after(async () => {
    await warehouse.close();
    await face.drain();
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const mark = () => warehouse.writeMark();

  it('stays as it is while there are questions only', async () => {
    const before = await mark();
    await warehouse.select({ sql: 'SELECT count() FROM rows' });
    assert.equal(await mark(), before);
    assert.ok(before);
  });

  it('is another after an insert, an insert that failed, and any other statement', async () => {
    const marks = new Set([await mark()]);
    await warehouse.insertLines('rows', Buffer.from('{"n":1}\n'));
    marks.add(await mark());
    await assert.rejects(warehouse.insertLines('rows', Buffer.from('{"n":\n')));
    marks.add(await mark());
    await warehouse.command({ sql: 'TRUNCATE TABLE rows' });
    marks.add(await mark());
    assert.equal(marks.size, 4);
    assert.ok(!marks.has(undefined));
  });

  it('is not told while something is being written', async () => {
    const written = warehouse.command({ sql: 'INSERT INTO rows SELECT sleep(0.5)' });
    let isUnknown = false;
    const watching = (async () => {
      while (!isUnknown) isUnknown = (await mark()) === undefined;
    })();
    await Promise.race([watching, written]);
    assert.ok(isUnknown, 'unknown before the insert had ended');
    await written;
    assert.ok(await mark());
  });

  it('is another in an engine that was started anew', async () => {
    const before = await mark();
    await face.drain();
    await listen();
    const afterwards = (await mark()) ?? (await mark()); // The first may find its connection closed.
    assert.ok(before && afterwards);
    assert.notEqual(afterwards, before);
  });

  it('is not told by whom one cannot reach, or who does not know it', async () => {
    const nobody = createAskWriteMark(join(folder, 'nobody.sock'));
    assert.equal(await nobody(), undefined);
    nobody.close();
    const server = createServer((_, response) => response.writeHead(404).end('what?'));
    const otherPath = join(folder, 'other.sock');
    await new Promise<void>((resolve) => server.listen(otherPath, resolve));
    const other = createAskWriteMark(otherPath);
    assert.equal(await other(), undefined);
    other.close();
    server.close();
  });
});
