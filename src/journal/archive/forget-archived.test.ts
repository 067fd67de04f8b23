import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import { BLOCK_BITS } from '#domain/identity/counted-batches.ts';
import { toBatchId, toToken } from '#storage/shipment-token.ts';
import { forgetArchived, type UnreadBytes } from './forget-archived.ts';
import { openArchive } from './open-archive.ts';
import { listArchive, readArchiveFile } from './read-archive.ts';

const SITE = 'site_of_a_shop';
const seqOf = (place: number) => place << Number(BLOCK_BITS);

describe('deleting lines from the archive', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tributary-forget-')), 'archive');
  });
  afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }));

  /** One file, with a shipment of one batch in a block of its own for each of these lists of visitors. */
  async function keep(...shipments: readonly (readonly string[])[]): Promise<void> {
    const archive = openArchive({ folder });
    for (const [index, visitors] of shipments.entries()) {
      const seq = seqOf(index + 1);
      const token = toToken(1, { firstSeq: seq, lastSeq: seq });
      const lines = Buffer.from(visitors.map((visitor) => lineOf(seq, visitor)).join(''));
      await archive.keep({ token, rows: visitors.length, lines });
    }
    await archive.close();
  }

  const path = () => listArchive(folder)[0]?.path ?? '';
  const file = () => join(folder, path());
  const partsOf = () => Array.fromAsync(readArchiveFile(file()));
  const bytesOf = ({ from, endsAt }: { readonly from: number; readonly endsAt: number }) =>
    readFileSync(file()).subarray(from, endsAt);

  /** Flips one bit of the shipment at this place among the file's, so many bytes behind its begin or end. */
  async function flip(place: number, offset: number) {
    const part = (await partsOf())[place];
    assert.ok(part !== undefined);
    const bytes = readFileSync(file());
    const frame = bytes.subarray(part.from, part.endsAt);
    const at = offset < 0 ? frame.length + offset : offset;
    frame[at] = (frame[at] ?? 0) ^ 1;
    writeFileSync(file(), bytes);
    return { part, frame };
  }

  async function forget(visitor: string, places: readonly number[]) {
    const reported: UnreadBytes[] = [];
    const lines = {
      counted: [
        {
          journal: 1,
          lastBatch: Number(toBatchId(1, seqOf(Math.max(...places)))),
          blocks: places.map((place) => Number(toBatchId(1, seqOf(place)) >> BLOCK_BITS)),
        },
      ],
      texts: [visitor],
      isForgotten: (event: { readonly visitor_id?: string }) => event.visitor_id === visitor,
    };
    const forgotten = await forgetArchived(folder, lines, (unread) => reported.push(unread));
    return { forgotten, reported };
  }

  async function readVisitors(): Promise<string[]> {
    const found: string[] = [];
    for await (const part of readArchiveFile(file())) {
      const lines = part.kind === 'shipment' ? await part.readLines().catch(() => '') : '';
      found.push(...[...String(lines).matchAll(/visitor-of-\w+/g)].map(String));
    }
    return found;
  }

  it('keeps damaged bytes and everything after them, and reports their position', async () => {
    await keep(['visitor-of-anna'], ['visitor-of-ben'], ['visitor-of-anna', 'visitor-of-carl']);
    const { part, frame } = await flip(1, 20);
    const { forgotten, reported } = await forget('visitor-of-anna', [1, 3]);
    assert.equal(forgotten, 2);
    assert.deepEqual(await readVisitors(), ['visitor-of-carl']);
    const [damaged] = await partsOf();
    assert.ok(damaged?.kind === 'damaged');
    assert.deepEqual(bytesOf(damaged), frame);
    assert.deepEqual(
      reported.map(({ file, from, bytes }) => ({ file, from, bytes })),
      [{ file: path(), from: part.from, bytes: frame.length }],
    );
  });

  it('reports damaged bytes in a file that is otherwise unaffected', async () => {
    await keep(['visitor-of-anna'], ['visitor-of-ben']);
    await flip(0, 20);
    const { forgotten, reported } = await forget('visitor-of-anna', [1]);
    assert.deepEqual([forgotten, reported.length], [0, 1]);
    assert.deepEqual(await readVisitors(), ['visitor-of-ben']);
  });

  it('skips a shipment with damaged lines, and reports it', async () => {
    await keep(['visitor-of-anna'], ['visitor-of-anna', 'visitor-of-ben'], ['visitor-of-anna']);
    const { part, frame } = await flip(1, -1);
    const { forgotten, reported } = await forget('visitor-of-anna', [1, 2, 3]);
    assert.equal(forgotten, 2);
    const [left, ...none] = await partsOf();
    assert.ok(left !== undefined && none.length === 0);
    assert.deepEqual(bytesOf(left), frame);
    const [{ reason = '', ...place } = {}] = reported;
    assert.deepEqual(place, { file: path(), from: part.from, bytes: frame.length });
    assert.match(reason, /^journal-1-512-512: .*checksum/);
  });

  it('deletes a torn end whose shipment contains such lines, and keeps others', async () => {
    await keep(['visitor-of-anna'], ['visitor-of-ben']);
    const whole = readFileSync(file());
    const [, ben] = await partsOf();
    const torn = whole.subarray(ben?.from, -3);
    writeFileSync(file(), Buffer.concat([whole.subarray(0, ben?.from), torn]));
    assert.deepEqual(await forget('visitor-of-anna', [1]), { forgotten: 1, reported: [] });
    assert.deepEqual(readFileSync(file()), torn);
    assert.deepEqual(await forget('visitor-of-ben', [2]), { forgotten: 0, reported: [] });
    assert.equal(existsSync(file()) && path() !== '', false);
  });

  it('copies damaged bytes of any length', async () => {
    await keep(['visitor-of-anna']);
    const long = Buffer.alloc(2_500_000, 'P*M');
    appendFileSync(file(), long);
    await forget('visitor-of-anna', [1]);
    assert.ok(readFileSync(file()).equals(long));
  });
});

function lineOf(seq: number, visitor: string): string {
  const tail = toLineTail({
    site_id: SITE,
    visitor_id: visitor,
    type: 'pageview',
    event_id: '019aa000-0000-7000-8000-000000000000',
    occurred_at: Date.now(),
    accepted_at: Date.now(),
  });
  return toLineOpening(toBatchId(1, seq)) + tail;
}
