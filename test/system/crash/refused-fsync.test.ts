import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openJournalFiles } from '#journal/journal-files.ts';

const SCRIPTS = {
  untilRefused: fileURLToPath(new URL('./append-until-refused.ts', import.meta.url)),
  pastRefusals: fileURLToPath(new URL('./append-past-refusals.ts', import.meta.url)),
};
/** Any fsync may fail: opening has some, each batch one. */
const FAILING = Array.from({ length: 12 }, (_, index) => index + 4);
/** The fsyncs of the groups in the middle. */
const LATER = Array.from({ length: 8 }, (_, index) => index + 13);

describe('a batch whose fsync fails', () => {
  const skip = spawnSync('strace', ['-V']).status === 0 ? false : 'strace is not installed';
  it('is not there when the process dies just then, and all that were taken are', { skip }, () => {
    const refusals = FAILING.map((nth) => countRefused(SCRIPTS.untilRefused, `${nth}`));
    const hits = refusals.filter((refused) => refused > 0);
    assert.ok(hits.length >= 2, 'some of the fsyncs were those of batches');
  });

  it('is not there after others failed, too, and some were taken again', { skip }, () => {
    const whens = LATER.flatMap((nth) => [`${nth}..${nth + 2}+2`, `${nth}..${nth + 3}`]);
    const refusals = whens.map((when) => countRefused(SCRIPTS.pastRefusals, when));
    const hits = refusals.filter((refused) => refused > 20);
    assert.ok(hits.length >= 2, 'some of the fsyncs were those of wide groups');
  });
});

/** The number of refused batches. */
function countRefused(script: string, when: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-fsync-'));
  const path = join(folder, 'journal');
  const inject = `inject=fsync,fdatasync:error=EIO:when=${when}`;
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
      script,
      path,
    ],
    { encoding: 'utf8', timeout: 300_000 },
  );
  const told = (what: string) =>
    [...stdout.matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].map(([, seq]) => `line ${seq}`);
  const hasRecovered = /taken \d+\n$/.test(stdout);
  const afterPowerCut = hasRecovered ? linesIn(copyWithoutMemory(path)) : told('taken');
  const found = stdout.startsWith('open') ? linesIn(path) : [];
  rmSync(folder, { recursive: true });
  assert.deepEqual(found, told('taken'), `fsyncs that failed: ${when}`);
  assert.deepEqual(afterPowerCut, told('taken'), `fsyncs that failed: ${when}`);
  return told('refused').length;
}

/** Only a log's shared memory is never fsynced. */
function copyWithoutMemory(path: string): string {
  const copy = `${path}.copy`;
  cpSync(path, copy, { recursive: true, filter: (file) => !file.endsWith('-shm') });
  return copy;
}

function linesIn(path: string): string[] {
  const troubles: string[] = [];
  const journal = openJournalFiles(path, { onTrouble: (trouble) => troubles.push(trouble) });
  const lines: string[] = [];
  for (let next = journal.nextShipment(); next !== undefined; next = journal.nextShipment()) {
    lines.push(...next.lines.toString().trimEnd().split('\n'));
    next.confirm();
  }
  journal.close();
  assert.deepEqual(troubles, []);
  return lines.map((line) => line.split(' ').slice(0, 2).join(' '));
}
