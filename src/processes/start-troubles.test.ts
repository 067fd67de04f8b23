import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseSettings } from '#settings.ts';
import { assertDataDir, toDiskError, toListenError } from './start-troubles.ts';

describe('a start that cannot succeed', () => {
  for (const dataDir of ['/etc/passwd', '/etc/passwd/below', '/proc/x', '/proc/x/y']) {
    it(`names DATA_DIR when it is ${dataDir}`, () => {
      assert.throws(() => assertDataDir(dataDir), /^Error: DATA_DIR is \/.*; allowed is the path/);
    });
  }

  it('is none when the folder can be made', () => {
    const root = mkdtempSync(join(tmpdir(), 'tributary-start-'));
    assertDataDir(join(root, 'a', 'b'));
    assertDataDir(join(root, 'a', 'b'));
    assert.ok(statSync(join(root, 'a', 'b')).isDirectory());
    rmSync(root, { recursive: true });
  });

  const settings = parseSettings({ PORT: '80', HOST: '192.0.2.1' });
  for (const [code, setting] of [
    ['EADDRINUSE', 'PORT is 80; another program'],
    ['EACCES', 'PORT is 80; this user'],
    ['EADDRNOTAVAIL', 'HOST is 192.0.2.1; allowed'],
    ['ENOTFOUND', 'HOST is 192.0.2.1; allowed'],
  ] as const) {
    it(`names the setting for ${code}`, () => {
      assert.ok(settings.ok);
      const error = toListenError(Object.assign(new Error('listen'), { code }), settings.value);
      assert.ok(String(error).startsWith(`Error: ${setting}`), String(error));
    });
  }

  it('says which disk is full, and passes on every other error', () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    for (const error of [full, new Error('database or disk is full')]) {
      assert.match(String(toDiskError(error, '/data')), /disk of DATA_DIR \(\/data\) is full/);
    }
    const other = new Error('else');
    assert.equal(toDiskError(other, '/data'), other);
  });
});
