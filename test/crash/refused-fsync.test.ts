import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openJournalFile } from '#journal/journal-file.ts';

const SCRIPT = fileURLToPath(new URL('append-until-refused.ts', import.meta.url));
const WIDE = { sizeBytes: 1_000_000, rows: 1_000 };
/** Whichever fsync it is that fails: opening has some, each batch one. */
const FAILING = Array.from({ length: 12 }, (_, index) => index + 4);

describe('a batch whose fsync fails just before the process dies', () => {
  const skip = spawnSync('strace', ['-V']).status === 0 ? false : 'strace is not installed';
  it('is not there, as its caller was told, and all that were taken are', { skip }, () => {
    const refusals = FAILING.map((nth) => refusedAt(nth)).filter((refused) => refused > 0);
    assert.ok(refusals.length >= 2, 'some of the fsyncs were those of batches');
  });
});

/** How many batches were refused. */
function refusedAt(nth: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-fsync-'));
  const path = join(folder, '1.db');
  const inject = `inject=fsync,fdatasync:error=EIO:when=${nth}`;
  const { stdout } = spawnSync(
    'strace',
    [
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=fsync,fdatasync',
      '-e',
      inject,
      process.execPath,
      SCRIPT,
      path,
    ],
    { encoding: 'utf8', timeout: 60_000 },
  );
  const told = (what: string) =>
    [...stdout.matchAll(new RegExp(`^${what} (\\d)$`, 'gm'))].map(([, seq]) => `line ${seq}`);
  const found = stdout.startsWith('open') ? linesIn(path) : [];
  rmSync(folder, { recursive: true });
  assert.deepEqual(found, told('taken'), `the ${nth}th fsync failed: ${stdout}`);
  return told('refused').length;
}

function linesIn(path: string): string[] {
  const journal = openJournalFile(path);
  const lines = journal.nextShipment(WIDE)?.lines.toString().trimEnd().split('\n') ?? [];
  journal.close();
  return lines;
}
