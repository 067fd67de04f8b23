import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { keepClock, readTrustedNow } from './keep-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the clock of a data directory', () => {
  let path: string;
  let now: { at: number; uptimeMs: number };
  let sentences: string[];
  let kept: ReturnType<typeof keepClock>;
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'tributary-clock-')), 'clock.json');
    now = { at: Date.UTC(2026, 10, 21, 12), uptimeMs: DAY };
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

  it('is trusted from the first start on, and after the next one', () => {
    assert.equal(read(), now.at);
    pass(DAY);
    restart();
    assert.equal(read(), now.at);
    assert.deepEqual(sentences, []);
  });

  it('is not trusted at once when it leaps, before anybody has looked', () => {
    leap(60 * DAY);
    assert.equal(read(), undefined);
  });

  it('is reported once for a leap, with what to do, and trusted when it is back', () => {
    leap(60 * DAY);
    kept.look();
    pass(20_000);
    kept.look();
    assert.equal(read(), undefined);
    assert.deepEqual(sentences, [
      'The clock says 2027-01-20T12:00Z, not 2026-11-21T12:00Z. Nothing is deleted for its age until the clock is back or has run evenly until 2027-01-20T18:00Z. If it is wrong, set it now (timedatectl set-ntp true): events get its time. If it is right, as after the machine was off for hours, do nothing.',
    ]);
    leap(-60 * DAY);
    kept.look();
    assert.equal(read(), now.at);
  });

  it('that leapt while nothing ran is found at the start, and trusted six hours later over restarts', () => {
    now = { at: now.at + 60 * DAY, uptimeMs: 60_000 };
    restart();
    assert.equal(read(), undefined);
    assert.equal(sentences.length, 1);
    pass(3 * HOUR);
    restart();
    assert.equal(read(), undefined);
    pass(3 * HOUR);
    kept.look();
    assert.equal(read(), now.at);
    restart();
    assert.equal(read(), now.at);
  });

  it('is not trusted without its note where something was recorded before, and is in the end', () => {
    rmSync(path);
    restart();
    assert.equal(read(), undefined);
    assert.match(sentences.join(), /nothing is known of before/);
    pass(6 * HOUR);
    kept.look();
    assert.equal(read(), now.at);
  });

  it('is not trusted by a note that is damaged, which is written again', () => {
    writeFileSync(path, '{"trus');
    assert.equal(read(), undefined);
    pass(60_000);
    kept.look();
    assert.equal(read(), now.at);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { trusted: now });
  });
});
