import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildTracker } from '../scripts/build.ts';

describe('the built tracker', async () => {
  const tracker = await buildTracker();

  it('takes at most 1,600 bytes on the wire', () => {
    assert.ok(tracker.brotli.length <= 1_600, `it takes ${tracker.brotli.length}`);
  });

  it('is the same script in every compression', () => {
    assert.deepEqual(brotliDecompressSync(tracker.brotli), tracker.plain);
    assert.deepEqual(gunzipSync(tracker.gzip), tracker.plain);
  });

  it('comes out the same from the same source', async () => {
    assert.deepEqual(await buildTracker(), tracker);
  });

  it('needs nothing beside itself', () => {
    assert.doesNotMatch(tracker.plain.toString(), /\b(import|require|export)\b/);
  });
});
