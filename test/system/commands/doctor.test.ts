import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, runCli } from '../../server/start-server.ts';

/** Root may write anywhere, so that there the command runs as nobody. */
const AS_NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Not where only root may read the checkout. */
const canRun = spawnSync(process.execPath, [MAIN, '--help'], AS_NOBODY).status === 0;

type Finding = { check: string; ok: boolean; found: string; advice?: string };

describe('the command doctor where this user may not write', () => {
  let dataDir: string;

  before(async () => {
    dataDir = makeDataDir();
    await runCli(['site', 'add', 'example.com'], dataDir);
    chmodSync(dataDir, 0o555);
  });
  after(() => {
    chmodSync(dataDir, 0o755);
    rmSync(dataDir, { recursive: true });
  });

  function examine(): Promise<Finding[]> {
    const options = { ...AS_NOBODY, env: { ...process.env, DATA_DIR: dataDir } };
    return new Promise((resolve) => {
      execFile(process.execPath, [MAIN, 'doctor', '--json'], options, (_, stdout) =>
        resolve((JSON.parse(stdout) as { findings: Finding[] }).findings),
      );
    });
  }

  it('says so, once', { skip: !canRun }, async () => {
    const findings = await examine();
    const faults = findings.filter(({ ok }) => !ok);
    assert.deepEqual(
      faults.map(({ check }) => check),
      ['data directory'],
    );
    for (const { check, found, advice } of faults) {
      assert.ok(found.includes(dataDir), `${check}: ${found}`);
      assert.match(advice ?? '', /this user write access to/, check);
    }
  });
});
