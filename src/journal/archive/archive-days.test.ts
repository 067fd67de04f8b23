import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { keepClock, readEarliestNow } from '#storage/keep-clock.ts';
import { toParts } from './archive-frame.ts';
import { readKeptFrom } from './kept-from.ts';
import { openArchive } from './open-archive.ts';
import { listArchive } from './read-archive.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

it('old days of the archive that cannot be removed are reported, and shipments are kept', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'tributary-days-')), 'archive');
  for (const day of ['2026-10-01', '2026-10-02']) {
    mkdirSync(join(folder, day), { recursive: true });
    writeFileSync(join(folder, day, 't.ndjson.zst'), '');
  }
  const stuck = join(folder, '2026-10-01', 't.ndjson.zst');
  try {
    execFileSync('chattr', ['+i', stuck], { stdio: 'ignore' });
  } catch {
    t.skip('a file that cannot be removed needs root and ext4');
    return;
  }
  t.after(() => {
    execFileSync('chattr', ['-i', stuck]);
    rmSync(join(folder, '..'), { recursive: true });
  });
  const reported: string[] = [];
  const archive = openArchive({
    folder,
    keepDays: 30,
    now: () => NOON,
    onTrouble: (trouble) => reported.push(trouble),
  });
  await archive.keep({ token: 'journal-1-1-1', rows: 1, lines: Buffer.from('["1"]\n') });
  await archive.close();
  assert.ok(existsSync(join(folder, '2026-11-21', 'journal-1-1-1.ndjson.zst')));
  assert.match(
    reported.join(),
    /^Day 2026-10-01 of the archive is past its retention but cannot be removed: Error: E/,
  );
  assert.ok(!existsSync(join(folder, '2026-10-02')), 'one stuck day keeps no other');
});

it('old days of the archive stay until the clock is trusted, and are then removed', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'tributary-days-')), 'archive');
  t.after(() => rmSync(join(folder, '..'), { recursive: true }));
  for (const day of ['2026-10-01', '2026-11-20']) mkdirSync(join(folder, day), { recursive: true });
  let isTrusted = false;
  let at = NOON + 60 * DAY_MS;
  const archive = openArchive({
    folder,
    keepDays: 30,
    now: () => at,
    trustedNow: () => (isTrusted ? at : undefined),
  });
  const keep = (token: string) => archive.keep({ token, rows: 1, lines: Buffer.from('["1"]\n') });
  const isThere = (day: string) => existsSync(join(folder, day));

  await keep('journal-1-1-1');
  assert.deepEqual([isThere('2026-10-01'), isThere('2026-11-20')], [true, true]);
  assert.equal(await readKeptFrom(folder), undefined);

  at = NOON;
  await keep('journal-1-2-2');
  assert.equal(isThere('2026-10-01'), true);
  isTrusted = true;
  await keep('journal-1-3-3');
  await archive.close();
  assert.deepEqual([isThere('2026-10-01'), isThere('2026-11-20')], [false, true]);
  assert.equal(await readKeptFrom(folder), '2026-10-22');
});

it('no clock that leapt removes a day of the archive that is not old', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'tributary-days-')), 'archive');
  const clockPath = join(folder, '..', 'clock.json');
  let now = { at: NOON, uptimeMs: 0 };
  const read = () => now;
  const clock = keepClock({ path: clockPath, isFresh: true, read, onLeap() {} });
  t.after(() => {
    clock.stop();
    rmSync(join(folder, '..'), { recursive: true });
  });
  const pass = (ms: number, leapMs = 0) => {
    now = { at: now.at + ms + leapMs, uptimeMs: now.uptimeMs + ms };
    clock.check();
  };
  let shipped = 0;
  const openAgain = () =>
    openArchive({
      ...{ folder, keepDays: 30, now: () => now.at },
      trustedNow: (agoMs) => readEarliestNow(clockPath, agoMs, read),
    });
  let archive = openAgain();
  const keep = async () => {
    shipped++;
    await archive.keep({ token: `t-${shipped}`, rows: 1, lines: Buffer.from('["1"]\n') });
  };
  const count = () =>
    listArchive(folder).flatMap(({ path }) => [...toParts(readFileSync(join(folder, path)))])
      .length;

  await keep();
  // Two months behind: what is shipped meanwhile is not dated back, before a restart or after it.
  pass(1_000, -60 * DAY_MS);
  await keep();
  await archive.close();
  archive = openAgain();
  await keep();
  pass(1_000, 60 * DAY_MS);
  await keep();
  assert.equal(count(), shipped);

  // Two months ahead for so long that the clock is trusted, and back for as long.
  for (const leap of [60 * DAY_MS, -60 * DAY_MS]) {
    pass(1_000, leap);
    await keep();
    pass(7 * HOUR_MS);
    await keep();
    assert.equal(count(), shipped);
  }
  // Even for as long as days are kept: now old days are old.
  pass(31 * DAY_MS);
  await keep();
  await archive.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name < '2026-12'),
    [],
  );
});
