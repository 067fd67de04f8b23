import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { dataPathsOf } from '#processes/paths.ts';
import type { Tamper, VerifiedCount } from '../../server/verify-data.ts';
import { ALTER_NOW, copyShopForEach, MONDAY, toDay } from './stopped-shop.ts';

const GAPS = /^(events of the ledger’s outbox|damaged places in the archive)/;

describe('a warehouse that was taken with its gaps', () => {
  const copied = copyShopForEach();
  const paths = () => dataPathsOf(copied.shop.dataDir);

  /** Flips a bit of the outbox's archived shipment, and accepts what a rebuild makes of it. */
  async function acceptGap(): Promise<string> {
    const file = await damage('journal-0-');
    assert.equal((await copied.shop.rebuild()).code, 1);
    const { code, stdout } = await copied.shop.rebuild('--accept-gaps');
    assert.equal(code, 1);
    assert.match(stdout, /The new warehouse is in place\. "verify" accepts the gaps/);
    return file;
  }

  /** Flips a bit of every shipment whose token has this prefix. */
  async function damage(token: string): Promise<string> {
    let damaged: string | undefined;
    for (const { path } of listArchive(paths().archive)) {
      const file = join(paths().archive, path);
      const bytes = readFileSync(file);
      const whole = Buffer.from(bytes);
      for await (const part of readArchiveFile(file)) {
        if (part.kind !== 'shipment' || !part.token.startsWith(token)) continue;
        bytes[part.endsAt - 1] = (bytes[part.endsAt - 1] ?? 0) ^ 1;
      }
      if (bytes.equals(whole)) continue;
      copyFileSync(file, `${file}.whole`);
      writeFileSync(file, bytes);
      damaged = file;
    }
    return damaged ?? assert.fail(`no shipment of ${token} in the archive`);
  }

  const told = (counts: readonly VerifiedCount[]) =>
    counts.map(({ what, expected, found }) => `${what}: ${expected}, ${found}`);

  it('agrees but for them, which is told', async () => {
    await acceptGap();
    const { verified, differences, accepted } = await copied.shop.verify();
    assert.deepEqual([verified, differences], [true, []]);
    const [outbox, damaged, ...others] = told(accepted);
    assert.equal(outbox, 'events of the ledger’s outbox: 1, 0');
    assert.match(String(damaged), /^damaged places in the archive’s .*: 0, 1$/);
    assert.deepEqual(others, []);
    const { code, stdout } = await copied.shop.run([]);
    assert.equal(code, 0);
    assert.match(stdout, /^events of the ledger’s outbox +1 +0 +accepted$/m);
    assert.match(stdout, /\nNothing differs except gaps .* \(2 of \d+ counts\)\.\n$/);
  });

  it('differs when anything else does, be it of the same journal', async () => {
    await acceptGap();
    const where = `visitor_id = 'ben' AND toDate(occurred_at) = '${toDay(MONDAY)}'`;
    const tamper: Tamper = (warehouse) =>
      warehouse.command({ sql: `ALTER TABLE events DELETE WHERE ${where} ${ALTER_NOW}` });
    const { verified, differences, accepted } = await copied.shop.verify({ tamper });
    assert.deepEqual([verified, accepted.length], [false, 2]);
    assert.ok(told(differences).includes('events of journal 1: 5, 4'));
    await damage('journal-1-');
    assert.deepEqual(
      (await copied.shop.verify()).accepted.map(({ what }) => what),
      ['events of the ledger’s outbox'],
    );
  });

  it('agrees where a goal has lost the pageviews of its visitor', async () => {
    await damage('journal-1-');
    await copied.shop.rebuild('--accept-gaps');
    const { counts, differences } = await copied.shop.verify();
    assert.deepEqual(told(differences), []);
    assert.deepEqual(
      told(counts).filter((text) => /^goal events/.test(text)),
      ['goal events of example.com in the archive: 1, 1'],
    );
  });

  it('is made anew with the same gaps without a word, and forgets them once they are filled', async () => {
    const file = await acceptGap();
    assert.equal((await copied.shop.rebuild()).code, 0);
    assert.equal((await copied.shop.verify()).accepted.length, 2);
    renameSync(`${file}.whole`, file);
    assert.equal((await copied.shop.rebuild()).code, 0);
    assert.ok(!existsSync(paths().acceptedGaps));
    const { verified, counts, accepted } = await copied.shop.verify();
    assert.deepEqual([verified, accepted], [true, []]);
    assert.deepEqual(
      told(counts).filter((text) => GAPS.test(text)),
      ['events of the ledger’s outbox: 1, 1'],
    );
  });

  it('names a note of them that is none', async () => {
    writeFileSync(paths().acceptedGaps, 'no gaps');
    const { code, stderr } = await copied.shop.run([]);
    assert.equal(code, 1);
    assert.match(stderr, /accepted-gaps\.json is not a valid list of accepted gaps .* Remove it/);
  });
});
