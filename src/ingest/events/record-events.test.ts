import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { createRecordEvents, type Repetition } from './record-events.ts';

describe('recording the events of a request', () => {
  let journal: string[];
  let ledger: string[];
  let recorded: Set<string>;
  let asked: number;
  let recordEvents: ReturnType<typeof createRecordEvents>;

  beforeEach(() => {
    [journal, ledger, recorded, asked] = [[], [], new Set(), 0];
    recordEvents = createRecordEvents({
      journal: {
        async append(rows) {
          journal.push(...rows.map((row) => row.event_id));
        },
      },
      ledger: {
        async acceptEvents(events) {
          ledger.push(...events.map(({ row, onceId }) => `${row.event_id} as ${onceId}`));
          return { kind: 'recorded' };
        },
      },
      recorded: {
        async find(rows) {
          asked += rows.length;
          return new Set(rows.filter((row) => recorded.has(row.event_id)));
        },
      },
    });
  });

  const record = (repetitions: Readonly<Record<string, Repetition>>) =>
    recordEvents(
      Object.entries(repetitions).map(([event_id, repetition]) => {
        return { row: { event_id } as EventRow, repetition, proof: 'claim' };
      }),
    );

  it('appends first attempts to the journal only', async () => {
    await record({ a: 'never', b: 'never' });
    assert.deepEqual([journal, ledger, asked], [['a', 'b'], [], 0]);
  });

  it('records ids that may repeat and their neighbours in one transaction', async () => {
    await record({ a: 'perhaps', b: 'never' });
    assert.deepEqual([journal, ledger, asked], [[], ['a as a', 'b as undefined'], 0]);
  });

  it('looks up replays only', async () => {
    recorded.add('a');
    await record({ a: 'replay', b: 'replay', c: 'never', d: 'perhaps' });
    assert.deepEqual([ledger, asked], [['b as b', 'c as undefined', 'd as d'], 2]);
  });

  it('writes nothing when everything is recorded already', async () => {
    recorded.add('a');
    await record({ a: 'replay' });
    await record({});
    assert.deepEqual([journal, ledger], [[], []]);
  });
});
