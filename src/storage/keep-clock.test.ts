import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { keepClock, readTrustedNow } from './keep-clock.ts';

describe('the clock of a data directory', () => {
  let path: string;
  let now: { at: number; uptimeMs: number };
  let sentences: string[];
  let kept: ReturnType<typeof keepClock>;
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'tributary-clock-')), 'clock.json');
    now = { at: Date.UTC(2026, 10, 21, 12), uptimeMs: DAY_MS };
    sentences = [];
    start(true);
  });
  afterEach(() => {
    kept.stop();
    rmSync(join(path, '..'), { recursive: true });
  });

  function start(isFresh = false): void {
    const onLeap = (sentence: string) => sentences.push(sentence);
    kept = keepClock({ path, isFresh, read: () => now, onLeap });
  }
  function restart(): void {
    kept.stop();
    start();
  }
  const read = () => readTrustedNow(path, () => now);
  const pass = (ms: number) => {
    now = { at: now.at + ms, uptimeMs: now.uptimeMs + ms };
  };
  const leap = (ms: number) => {
    now = { ...now, at: now.at + ms };
  };

  it('is trusted from the first start, and after a restart', () => {
    assert.equal(read(), now.at);
    pass(DAY_MS);
    restart();
    assert.equal(read(), now.at);
    assert.deepEqual(sentences, []);
  });

  it('is distrusted immediately after a leap, even before the next check', () => {
    leap(60 * DAY_MS);
    assert.equal(read(), undefined);
  });

  it('is reported once per leap, with advice, and trusted when it is back', () => {
    leap(60 * DAY_MS);
    kept.check();
    pass(20_000);
    kept.check();
    assert.equal(read(), undefined);
    assert.deepEqual(sentences, [
      'The clock says 2027-01-20T12:00Z, not 2026-11-21T12:00Z. Retention deletes nothing until the clock is back or has run evenly until 2027-01-20T18:00Z. If it is wrong, set it now (timedatectl set-ntp true), because events get its time. If it is right, for example after the machine was off for hours, do nothing.',
    ]);
    leap(-60 * DAY_MS);
    kept.check();
    assert.equal(read(), now.at);
  });

  it('that leapt while nothing ran is detected at the start, and trusted six hours later across restarts', () => {
    now = { at: now.at + 60 * DAY_MS, uptimeMs: 60_000 };
    restart();
    assert.equal(read(), undefined);
    assert.equal(sentences.length, 1);
    pass(3 * HOUR_MS);
    restart();
    assert.equal(read(), undefined);
    pass(3 * HOUR_MS);
    kept.check();
    assert.equal(read(), now.at);
    restart();
    assert.equal(read(), now.at);
  });

  it('is distrusted without saved state if data exists, and trusted later', () => {
    rmSync(path);
    restart();
    assert.equal(read(), undefined);
    assert.match(sentences.join(), /the expected time is unknown/);
    pass(6 * HOUR_MS);
    kept.check();
    assert.equal(read(), now.at);
  });

  it('is distrusted with a damaged state file, which is rewritten', () => {
    writeFileSync(path, '{"trus');
    assert.equal(read(), undefined);
    pass(60_000);
    kept.check();
    assert.equal(read(), now.at);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { trusted: now });
  });
});
