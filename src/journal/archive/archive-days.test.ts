import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openArchive } from './open-archive.ts';

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
    /^Day 2026-10-01 of the archive is older than it keeps and cannot be removed: Error: E/,
  );
  assert.ok(!existsSync(join(folder, '2026-10-02')), 'one stuck day keeps no other');
});
