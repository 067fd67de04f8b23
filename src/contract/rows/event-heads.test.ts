import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEventHeads } from './event-heads.ts';
import { toLineOpening, toLineTail } from './event-lines.ts';
import type { EventRow } from './event-row.ts';

const ROW: EventRow = {
  ...{ site_id: 'site_1', occurred_at: 1_763_700_000_000, accepted_at: 1_763_700_000_007 },
  ...{ event_id: '019aa000-0000-7000-8000-0000000000ff', type: 'payment_hint', visitor_id: 'v' },
};
const HEAD = {
  ...{ batchId: '1099511627777', siteId: 'site_1', eventId: ROW.event_id, type: ROW.type },
  ...{ occurredAt: ROW.occurred_at, acceptedAt: ROW.accepted_at },
};

const toLines = (...rows: readonly EventRow[]) =>
  Buffer.from(rows.map((row) => toLineOpening(2n ** 40n + 1n) + toLineTail(row)).join(''));

describe('the heads of lines', () => {
  it('are read of each line, however long it goes on', () => {
    const long = { ...ROW, path: `/${'ü'.repeat(5_000)}` };
    assert.deepEqual([...readEventHeads(toLines(ROW, long, ROW))], [HEAD, HEAD, HEAD]);
    assert.deepEqual([...readEventHeads(Buffer.from(''))], []);
  });

  it('are read of lines that the write path would not make so', () => {
    const odd = { ...ROW, site_id: 'sïte "1"', occurred_at: -5 };
    const [head] = readEventHeads(toLines(odd).subarray(0, -1));
    assert.deepEqual(head, { ...HEAD, siteId: odd.site_id, occurredAt: -5 });
  });

  it('are not made up of what is no line', () => {
    assert.throws(() => [...readEventHeads(Buffer.from('["1","site_1",17637\n'))], SyntaxError);
  });
});
