import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildTracker } from '../scripts/build.ts';
import { ROOT } from './architecture/source-files.ts';

describe('the built tracker', async () => {
  const tracker = await buildTracker();

  it('takes at most 2,000 bytes on the wire, as the docs say', async () => {
    assert.ok(tracker.brotli.length <= 2_000, `it takes ${tracker.brotli.length}`);
    const size = `${(tracker.brotli.length / 1_000).toFixed(1).replace('.0', '')} KB`;
    for (const path of ['README.md', 'CHANGELOG.md', 'docs/tracking.md']) {
      const text = await readFile(ROOT + path, 'utf8');
      assert.match(text, new RegExp(`\\b${size} script|script is ${size}\\b`), path);
    }
  });

  it('is the same script in every compression', () => {
    assert.deepEqual(brotliDecompressSync(tracker.brotli), tracker.plain);
    assert.deepEqual(gunzipSync(tracker.gzip), tracker.plain);
  });

  it('comes out the same from the same source', async () => {
    assert.deepEqual(await buildTracker(), tracker);
  });

  it('needs nothing beside itself, and keeps to its block', () => {
    assert.doesNotMatch(tracker.plain.toString(), /\b(import|require|export|function|var)\b/);
    assert.match(tracker.plain.toString(), /^try\{.*\}catch\{\}$/);
  });

  it('is a module too, in a package of its own, which does nothing until it is started', async () => {
    const { start } = await import(
      `data:text/javascript;base64,${tracker.module.toString('base64')}`
    );
    assert.equal(typeof start, 'function');
    const built = await readFile(`${ROOT}packages/script/dist/index.js`);
    assert.deepEqual(built, tracker.module);
  });
});
