import assert from 'node:assert/strict';
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openDailyKey } from './daily-key.ts';

const HOUR = 60 * 60 * 1000;
const START = Date.UTC(2026, 10, 21, 12);

describe('the key of a day', () => {
  let folder: string;
  let now: number;
  const open = () => openDailyKey(folder, () => now);

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tributary-key-')), 'keys');
    now = START;
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  it('is the same all day, in every process and after a restart', () => {
    const [one, other] = [open(), open()];
    const key = Buffer.from(one.keyOf(START));
    assert.equal(key.length, 32);
    assert.deepEqual(other.keyOf(START + 11 * HOUR), key);
    one.close();
    const again = open();
    assert.deepEqual(again.keyOf(START), key);
    for (const each of [other, again]) each.close();
  });

  it('is readable by its owner only, and no file is left half made', () => {
    const keys = open();
    keys.keyOf(START);
    assert.deepEqual(readdirSync(folder), ['2026-11-21.key']);
    assert.equal(statSync(join(folder, '2026-11-21.key')).mode & 0o777, 0o600);
    keys.close();
  });

  it('is another on the next day, and then its bytes are written over', () => {
    const keys = open();
    const key = Buffer.from(keys.keyOf(START));
    const file = openSync(join(folder, '2026-11-21.key'), 'r'); // Whoever held it open, sees zeros.
    assert.notDeepEqual(keys.keyOf(START + 12 * HOUR), key);
    assert.deepEqual(readdirSync(folder), ['2026-11-22.key']);
    const left = Buffer.alloc(fstatSync(file).size);
    readSync(file, left, 0, left.length, 0);
    closeSync(file);
    assert.deepEqual(left, Buffer.alloc(32));
    keys.close();
  });

  it('is destroyed at the next start, when nothing ran at the day’s end', () => {
    const keys = open();
    keys.keyOf(START);
    keys.close();
    now += 36 * HOUR;
    open().close();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('leaves what is no key of its own alone', () => {
    const keys = open();
    keys.keyOf(START);
    writeFileSync(join(folder, 'readme.txt'), 'mine');
    keys.keyOf(START + 12 * HOUR);
    assert.equal(readFileSync(join(folder, 'readme.txt'), 'utf8'), 'mine');
    keys.close();
  });
});
