import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { withLinesFile } from './lines-file.ts';
import { openEngine } from './open-engine.ts';

describe('a file of lines', () => {
  const root = mkdtempSync(join(tmpdir(), 'tributary-lines-'));
  const folder = join(root, 'data {a,b} *');
  mkdirSync(folder);
  after(() => rmSync(root, { recursive: true }));

  for (const platform of ['linux', 'darwin'] as const) {
    it(`has every line on ${platform}, and is gone afterwards`, async () => {
      const lines = Array.from({ length: 30_000 }, (_, index) => `["line ${index}"]\n`);
      let path = '';
      const read = await withLinesFile({ folder, platform }, Readable.from(lines), async (at) => {
        path = at;
        return readFileSync(at, 'utf8');
      });
      assert.equal(read, lines.join(''));
      assert.throws(() => readFileSync(path), /ENOENT|EBADF/);
      assert.deepEqual(readdirSync(folder), []);
    });

    it(`is gone on ${platform} when its lines break off`, async () => {
      const broken = Readable.from(['[1]\n']).map(() => {
        throw new Error('the sender is gone');
      });
      const work = () => Promise.resolve(assert.fail('half of the lines are worked with'));
      await assert.rejects(withLinesFile({ folder, platform }, broken, work), /sender is gone/);
      assert.deepEqual(readdirSync(folder), []);
    });
  }

  it('is read by the engine, whatever the folder is called', async () => {
    const engine = await openEngine(join(folder, 'warehouse'));
    await engine.queryAsync('CREATE TABLE texts (t String) ENGINE = Memory');
    await withLinesFile({ folder }, Readable.from(['["a"]\n["b"]\n']), (path) =>
      engine.queryAsync(`INSERT INTO texts FROM INFILE '${path}' FORMAT JSONCompactEachRow`),
    );
    const answer = await engine.queryAsync('SELECT groupArray(t) FROM texts', {
      format: 'JSONCompactColumns',
    });
    engine.close();
    assert.deepEqual(answer.json(), [[['a', 'b']]]);
  });
});
