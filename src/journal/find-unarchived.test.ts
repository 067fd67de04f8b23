import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readEventHeads } from '#contract/event-heads.ts';
import { toLineOpening, toLineTail } from '#contract/event-lines.ts';
import { toBatchId, toJournalToken } from '#storage/shipment-token.ts';
import { openArchive } from './open-archive.ts';
import { listArchive, readArchiveFile } from './read-archive.ts';

/** The event of the batch with this number, of journal 1. */
function lineOf(seq: number): string {
  const at = Date.now();
  const event_id = `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`;
  const row = { site_id: 's', visitor_id: 'v', type: 'pageview' as const, event_id };
  return (
    toLineOpening(toBatchId(1, seq)) + toLineTail({ ...row, occurred_at: at, accepted_at: at })
  );
}

function shipmentOf(firstSeq: number, lastSeq: number, seqs?: readonly number[]) {
  const all = Array.from({ length: lastSeq - firstSeq + 1 }, (_, index) => firstSeq + index);
  const lines = (seqs ?? all).map(lineOf);
  return {
    ...{ token: toJournalToken(1, { firstSeq, lastSeq }), rows: lines.length },
    lines: Buffer.from(lines.join('')),
  };
}

describe('an archive that keeps once what came out of a damaged journal', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-unarchived-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function keep(
    how: 'keep' | 'keepOnce',
    ...shipments: readonly ReturnType<typeof shipmentOf>[]
  ): Promise<void> {
    const archive = openArchive({ folder });
    for (const shipment of shipments) await archive[how](shipment);
    await archive.close();
  }

  /** Each frame, as its token and the numbers of its batches. */
  async function frames(): Promise<string[]> {
    const found: string[] = [];
    for (const { path } of listArchive(folder)) {
      for await (const part of readArchiveFile(join(folder, path), 0)) {
        if (part.kind !== 'shipment') continue;
        const lines = await part.readLines().catch(() => Buffer.alloc(0));
        const seqs = [...readEventHeads(lines)].map(({ eventId }) => Number(eventId.slice(-12)));
        found.push(`${part.token}: ${seqs.join(' ')}`);
      }
    }
    return found.toSorted();
  }

  it('takes all of a shipment of which it has nothing', async () => {
    await keep('keep', shipmentOf(1, 3));
    await keep('keepOnce', shipmentOf(4, 6), shipmentOf(7, 9));
    assert.deepEqual(await frames(), [
      ...['journal-1-1-3: 1 2 3', 'journal-1-4-6: 4 5 6', 'journal-1-7-9: 7 8 9'],
    ]);
  });

  it('takes nothing of one that it has, whatever went together then', async () => {
    await keep('keep', shipmentOf(1, 3), shipmentOf(4, 6));
    const before = await frames();
    await keep('keepOnce', shipmentOf(2, 5), shipmentOf(1, 6), shipmentOf(4, 6, [4, 6]));
    assert.deepEqual(await frames(), before);
  });

  it('takes the rest of one of which it has some, under a token that is not taken', async () => {
    await keep('keep', shipmentOf(1, 3), shipmentOf(4, 8, [4, 5, 7, 8]));
    await keep('keepOnce', shipmentOf(4, 8), shipmentOf(2, 10));
    assert.deepEqual(await frames(), [
      ...['journal-1-1-3: 1 2 3', 'journal-1-4-8: 4 5 7 8', 'journal-1-6-6: 6'],
      'journal-1-9-10: 9 10',
    ]);
  });

  it('takes again what is damaged in it', async () => {
    await keep('keep', shipmentOf(1, 3));
    const path = join(folder, listArchive(folder)[0]?.path ?? '');
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(path, bytes);
    appendFileSync(path, 'torn');
    await keep('keepOnce', shipmentOf(1, 3));
    assert.deepEqual(await frames(), ['journal-1-1-3: ', 'journal-1-1-3: 1 2 3']);
  });
});
