import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createChance } from '#cli/demo/chance.ts';
import { cutPower } from './cut-power.ts';
import { emptyFolder, readTree, type TreeFolder, type TreeNode } from './file-tree.ts';
import { buildRecorder, findRecorderObstacle } from './preload.ts';
import { type Call, readTrace, type TracedCall } from './read-trace.ts';

const LIVES = 60;

/** All possible results of a cut after these calls, each as one string. */
function remainsOf(calls: readonly Call[], before: TreeFolder = emptyFolder()): Set<string> {
  const traced = calls.map((call, index): TracedCall => ({ ...call, endsAt: index }));
  const remains = Array.from({ length: LIVES }, (_, life) =>
    JSON.stringify(toPlain(cutPower(before, traced, createChance(life, 1)))),
  );
  return new Set(remains);
}

function toPlain(node: TreeNode): unknown {
  if (node.kind === 'link') return `-> ${node.target}`;
  if (node.kind === 'file') return (node.content as Buffer).toString('latin1');
  return Object.fromEntries([...node.nodes].map(([name, inner]) => [name, toPlain(inner)]));
}

const open = (path: string, inode = 1n): Call => ({ kind: 'open', path, inode, cuts: false });
const write = (text: string, offset = 0, inode = 1n): Call => {
  return { kind: 'write', inode, offset, bytes: Buffer.from(text) };
};
const sync = (inode = 1n): Call => ({ kind: 'sync', inode });
const datasync = (inode = 1n): Call => ({ kind: 'datasync', inode });

describe('a power cut', () => {
  it('leaves what was fsynced, and of the rest all, some or nothing', () => {
    const half = 'x'.repeat(512);
    const whole = [open('a'), write('safe'), sync(), write(half, 4), write(half, 516)];
    const remains = [...remainsOf(whole)];
    assert.ok(remains.every((each) => each.startsWith('{"a":"safe')));
    assert.ok(remains.includes('{"a":"safe"}'));
    assert.ok(remains.includes(`{"a":"safe${half}${half}"}`));
  });

  it('never leaves the end of what made a file longer without its beginning', () => {
    const remains = [...remainsOf([open('a'), sync(), write('1'), write('2', 1), write('3', 2)])];
    assert.deepEqual(remains.toSorted(), ['{"a":""}', '{"a":"1"}', '{"a":"12"}', '{"a":"123"}']);
  });

  it('may leave the later of two writes in their old places without the earlier', () => {
    const calls = [open('a'), write('....'), sync(), write('1'), write('2', 2)];
    assert.ok(remainsOf(calls).has('{"a":"..2."}'));
  });

  it('leaves names only in the order in which they were made', () => {
    const calls: Call[] = [
      open('old', 1n),
      sync(1n),
      { kind: 'mkdir', path: 'folder' },
      { kind: 'rename', from: 'old', to: 'folder/new', swaps: false },
    ];
    assert.deepEqual([...remainsOf(calls)].toSorted(), [
      '{"folder":{"new":""}}',
      '{"old":"","folder":{}}',
      '{"old":""}',
    ]);
  });

  it('keeps names when a file that has grown is fdatasynced, and not when it has not', () => {
    const begin = [open('a'), write('....'), sync(), { kind: 'mkdir', path: 'b' } as Call];
    assert.equal(remainsOf([...begin, write('12'), datasync()]).has('{"a":"12.."}'), true);
    assert.equal(remainsOf([...begin, write('12345'), datasync()]).has('{"a":"12345"}'), false);
    assert.equal(remainsOf([...begin, sync()]).has('{"a":"...."}'), false);
  });

  it('gives an inode that is used again to the newer file', () => {
    const calls: Call[] = [
      ...[open('a'), write('one'), sync()],
      { kind: 'remove', path: 'a' },
      ...[open('b'), write('two'), sync()],
    ];
    assert.deepEqual([...remainsOf(calls)], ['{"b":"two"}']);
  });
});

/** A Node process's file operations, with the calls that the stores make. */
const DEEDS = `
  const fs = require('node:fs');
  const { DatabaseSync } = require('node:sqlite');
  process.chdir(process.env.TORTURE_FOLDER);
  const db = new DatabaseSync('ledger.db');
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a)');
  for (let n = 0; n < 50; n++) db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(300));
  db.close();
  fs.mkdirSync('deep/er', { recursive: true });
  fs.writeFileSync('deep/er/file', 'first');
  const file = fs.openSync('deep/er/file', 'r+');
  fs.writevSync(file, [Buffer.from('FI'), Buffer.from('RS')]);
  fs.ftruncateSync(file, 4);
  fs.closeSync(file);
  fs.renameSync('deep/er', 'deep/est');
  fs.symlinkSync('est/file', 'deep/link');
  fs.linkSync('deep/est/file', 'deep/twin');
  fs.mkdirSync('gone/too', { recursive: true });
  fs.writeFileSync('gone/too/file', 'x');
  fs.rmSync('gone', { recursive: true });
  const last = fs.openSync('last', 'w');
  for (const path of ['deep/est/file', 'ledger.db']) fs.fsyncSync(fs.openSync(path, 'r+'));
  fs.fsyncSync(last);
`;

describe('the recorder', () => {
  it('misses nothing that a process does to its files', (t) => {
    const obstacle = findRecorderObstacle();
    if (obstacle !== undefined) return t.skip(obstacle);
    const folder = mkdtempSync(join(tmpdir(), 'tributary-recorder-'));
    const data = join(folder, 'data');
    mkdirSync(data);
    const env = {
      ...process.env,
      LD_PRELOAD: buildRecorder(folder),
      TORTURE_FOLDER: data,
      TORTURE_TRACE: join(folder, 'trace'),
    };
    const { status, stderr } = spawnSync(process.execPath, ['-e', DEEDS], { env });
    assert.equal(status, 0, String(stderr));
    const calls = readTrace(join(folder, 'trace'));
    const left = cutPower(emptyFolder(), calls, createChance(1, 1));
    assert.deepEqual(toPlain(left), toPlain(readTree(data)));
    rmSync(folder, { recursive: true });
  });
});
