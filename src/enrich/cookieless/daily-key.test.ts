import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { HOUR_MS } from '#domain/time/durations.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { openDailyKey } from './daily-key.ts';

const START = Date.UTC(2026, 10, 21, 12);

describe('the daily key', () => {
  let folder: string;
  let now: number;
  let failures: string[];
  const open = () =>
    openDailyKey(
      folder,
      () => now,
      (reason) => failures.push(reason),
    );

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tributary-key-')), 'keys');
    now = START;
    failures = [];
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  const turn = () => new Promise(setImmediate);

  /** As a disk that gives nothing: whatever is asked of the folder fails, for root, too. */
  function breakFolder(): void {
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, '');
  }
  function mendFolder(): void {
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
  }

  it('is the same all day, and after a restart', () => {
    const [one, other] = [open(), open()];
    const key = Buffer.from(one.keyOf(START));
    assert.equal(key.length, 32);
    assert.deepEqual(other.keyOf(START + 11 * HOUR_MS), key);
    one.close();
    const again = open();
    assert.deepEqual(again.keyOf(START), key);
    for (const each of [other, again]) each.close();
  });

  it('is readable by its owner only, and leaves no incomplete file', () => {
    const keys = open();
    keys.keyOf(START);
    assert.deepEqual(readdirSync(folder), ['2026-11-21.key']);
    assert.equal(statSync(join(folder, '2026-11-21.key')).mode & 0o777, 0o600);
    keys.close();
  });

  it('changes on the next day, and the old bytes are overwritten', async () => {
    const keys = open();
    const key = Buffer.from(keys.keyOf(START));
    const file = openSync(join(folder, '2026-11-21.key'), 'r'); // A reader that held it open sees zeros.
    assert.notDeepEqual(keys.keyOf(START + 12 * HOUR_MS), key);
    await turn();
    assert.deepEqual(readdirSync(folder), ['2026-11-22.key']);
    const left = Buffer.alloc(fstatSync(file).size);
    readSync(file, left, 0, left.length, 0);
    closeSync(file);
    assert.deepEqual(left, Buffer.alloc(32));
    keys.close();
  });

  it('is destroyed at the next start if nothing ran at the end of the day', () => {
    const keys = open();
    keys.keyOf(START);
    keys.close();
    now += 36 * HOUR_MS;
    open().close();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('leaves other files alone', () => {
    const keys = open();
    keys.keyOf(START);
    writeFileSync(join(folder, 'readme.txt'), 'mine');
    keys.keyOf(START + 12 * HOUR_MS);
    assert.equal(readFileSync(join(folder, 'readme.txt'), 'utf8'), 'mine');
    keys.close();
  });

  it('is unavailable while it cannot be read, and unchanged afterwards', () => {
    const [one, other] = [open(), open()];
    const key = Buffer.from(one.keyOf(START));
    breakFolder();
    assert.throws(
      () => other.keyOf(START),
      (error) => error instanceof UnavailableError && /ENOTDIR|EEXIST/.test(String(error.cause)),
    );
    assert.deepEqual(one.keyOf(START), key);
    mendFolder();
    assert.deepEqual(other.keyOf(START), key);
    for (const each of [one, other]) each.close();
  });

  it('is never an overwritten or truncated file', () => {
    mkdirSync(folder);
    for (const bytes of [32, 31, 0]) {
      writeFileSync(join(folder, '2026-11-21.key'), Buffer.alloc(bytes, bytes % 2));
      const keys = open();
      assert.throws(() => keys.keyOf(START), UnavailableError);
      keys.close();
    }
  });

  it('is unavailable while the disk is full, and leaves no file of failed attempts', () => {
    mkdirSync(folder);
    const script = `
      import { openDailyKey } from ${JSON.stringify(new URL('daily-key.ts', import.meta.url))};
      const keys = openDailyKey(${JSON.stringify(folder)}, () => ${START}, console.log);
      for (let attempt = 0; attempt < 2; attempt++) {
        try {
          keys.keyOf(${START});
        } catch (error) {
          console.log(error.name, error.cause?.code);
        }
      }`;
    const command = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"';
    const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    assert.equal(stdout, 'UnavailableError EFBIG\n'.repeat(2), stderr);
    assert.deepEqual(readdirSync(folder), ['2026-11-21.key.new']);
  });

  it('ends with its day, even if destroying it has to be retried', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const pass = async () => {
      mock.timers.tick(5_000);
      await turn();
    };
    const keys = open();
    keys.keyOf(START);
    breakFolder();
    now += 12 * HOUR_MS;
    for (let tick = 0; tick < 3; tick++) await pass();
    assert.equal(failures.length, 1, 'it is reported once');
    assert.match(failures[0] ?? '', /ENOTDIR/);
    open().close();
    mendFolder();
    assert.deepEqual(readdirSync(folder), ['2026-11-21.key']);
    await pass();
    assert.deepEqual(readdirSync(folder), []);
    keys.close();
  });

  it('is destroyed even if the key of another day cannot be', async () => {
    mkdirSync(join(folder, '2026-11-01.key'), { recursive: true });
    for (const day of ['2026-11-02', '2026-10-31']) {
      writeFileSync(join(folder, `${day}.key`), Buffer.alloc(32, 1));
    }
    const keys = open();
    await turn();
    keys.close();
    assert.deepEqual(readdirSync(folder), ['2026-11-01.key']);
    assert.match(failures[0] ?? '', /EISDIR/);
  });

  it('survives a start whose clock was read just before midnight', () => {
    const keys = open();
    const key = Buffer.from(keys.keyOf(START + 12 * HOUR_MS));
    const late = open();
    assert.deepEqual(late.keyOf(START + 12 * HOUR_MS), key);
    for (const each of [keys, late]) each.close();
  });

  it('removes incomplete files', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, '2026-11-21.key.new'), 'half');
    open().close();
    assert.deepEqual(readdirSync(folder), []);
  });
});
