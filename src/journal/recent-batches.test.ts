import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRecentBatches } from './recent-batches.ts';

const MEMORY_BYTES = 40;

describe('recent batches', () => {
  it('lie in one piece, behind the one asked for', () => {
    const recent = createRecentBatches(MEMORY_BYTES);
    for (const [seq, lines] of ['é\n', 'two\n', 'three\n'].entries()) {
      recent.keep({ seq: seq + 1, rows: 1, lines });
    }
    assert.deepEqual(
      recent.findFrom(1)?.map(({ seq, size }) => [seq, size]),
      [
        [1, 3],
        [2, 4],
        [3, 6],
      ],
    );
    assert.equal(recent.find(1, 3)?.lines.toString(), 'é\ntwo\nthree\n');
    assert.equal(recent.find(2, 2)?.lines.toString(), 'two\n');
    assert.equal(recent.findFrom(4), undefined);
    assert.equal(recent.find(2, 4), undefined);
  });

  it('are not those whose writing failed', () => {
    const recent = createRecentBatches(MEMORY_BYTES);
    for (const seq of [1, 2, 3]) recent.keep({ seq, rows: 1, lines: `batch ${seq}\n` });
    recent.takeBack(2);
    assert.deepEqual(
      recent.findFrom(1)?.map(({ seq }) => seq),
      [1],
    );
    assert.equal(recent.find(1, 2), undefined);
  });

  it('answer with what was appended or not at all, whatever is shipped meanwhile', () => {
    const steps = fc.array(fc.oneof(APPEND, SHIP, CONFIRM), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (taken) => {
        const queue = createQueue();
        for (const step of taken) queue[step.kind](step);
      }),
    );
  });
});

type Step = {
  readonly kind: string;
  readonly lines: string;
  /** So many are written together, or fail together. */
  readonly batches: number;
  readonly isWritten: boolean;
  readonly count: number;
};

const APPEND = fc.record({
  kind: fc.constant('append' as const),
  lines: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  batches: fc.integer({ min: 1, max: 3 }),
  isWritten: fc.nat(9).map((n) => n > 0),
});
const SHIP = fc.record({
  kind: fc.constant('ship' as const),
  count: fc.integer({ min: 1, max: 9 }),
});
const CONFIRM = fc.record({ kind: fc.constant('confirm' as const) });

/** A queue that ships as the journal does, one shipment at a time, and knows what each must hold. */
function createQueue() {
  const recent = createRecentBatches(MEMORY_BYTES);
  const waiting: { readonly seq: number; readonly lines: string }[] = [];
  let underWay: { readonly count: number; readonly lines: Buffer | undefined } | undefined;
  let lastSeq = 0;
  return {
    append({ lines = '', batches = 1, isWritten = false }: Partial<Step>) {
      const group = Array.from({ length: batches }, (_, index) => ({
        seq: lastSeq + index + 1,
        lines: `${index} ${lines}`,
      }));
      lastSeq += batches;
      for (const batch of group) {
        assert.equal(recent.keep({ ...batch, rows: 1 }).toString(), batch.lines);
      }
      if (isWritten) waiting.push(...group);
      else recent.takeBack(group[0]?.seq ?? 0);
    },
    ship({ count = 1 }: Partial<Step>) {
      const [first] = waiting;
      if (underWay !== undefined || first === undefined) return;
      const found = recent.findFrom(first.seq)?.map(({ seq }) => seq) ?? [];
      const oldest = waiting.slice(0, found.length).map(({ seq }) => seq);
      assert.deepEqual(found, oldest);
      const last = waiting.slice(0, count).at(-1) ?? first;
      const lines = recent.find(first.seq, last.seq)?.lines;
      underWay = { count: waiting.indexOf(last) + 1, lines };
    },
    /** Read at the last moment, so that nothing may be written over it before. */
    confirm(_: Partial<Step>) {
      if (underWay === undefined) return;
      const sent = waiting.splice(0, underWay.count);
      const text = sent.map(({ lines }) => lines).join('');
      assert.equal(underWay.lines?.toString() ?? text, text);
      recent.forget(sent.at(-1)?.seq ?? 0);
      underWay = undefined;
    },
  };
}
