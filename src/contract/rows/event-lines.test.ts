import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEventLine, toLineOpening, toLineTail } from './event-lines.ts';
import { EVENT_COLUMNS, type EventRow } from './event-row.ts';

const SHORT: EventRow = {
  ...{ site_id: 's', occurred_at: 1, accepted_at: 2, event_id: 'e', type: 'goal' },
  visitor_id: 'v',
};

const reread = (row: EventRow) => readEventLine(toLineOpening(7) + toLineTail(row));

describe('a line of an event', () => {
  for (const [place, column] of EVENT_COLUMNS.entries()) {
    if (column === 'batch_id') continue;
    it(`holds ${column} at its place`, () => {
      const value = `the ${column}, "quoted" \u2028\n日本`;
      const line = toLineOpening(7) + toLineTail({ ...SHORT, [column]: value });
      assert.equal(JSON.parse(line)[place], value);
      assert.deepEqual(reread({ ...SHORT, [column]: value }), {
        batch_id: '7',
        ...SHORT,
        [column]: value,
      });
    });
  }

  it('ends with its last value, in one line', () => {
    assert.equal(
      toLineOpening(7) + toLineTail({ ...SHORT, name: undefined, user_id: undefined }),
      '["7","s",1,2,"e","goal","v"]\n',
    );
  });
});
