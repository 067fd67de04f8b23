import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answered } from '../../api/query.ts';
import { listShownValues } from './shown-values.ts';

const rows = (...all: string[][]) => all.map((dimensions) => ({ dimensions }));
const list = (...answers: Answered[]) =>
  listShownValues(answers, 'en').map(({ group, label, goal }) => [group, label, goal]);

describe('the values that the palette filters by', () => {
  it('are those of loaded panels, each once, as a filter reads', () => {
    const asked = { dimensions: ['visit:country'] };
    assert.deepEqual(
      list({ asked, results: rows(['DE'], ['FR']) }, { asked, results: rows(['DE']) }),
      [
        ['Country is', 'Germany', { dimension: 'visit:country', value: 'DE' }],
        ['Country is', 'France', { dimension: 'visit:country', value: 'FR' }],
      ],
    );
  });

  it('are found in panels that were asked for together', () => {
    const asked = { dimensions: ['visit:channel', 'visit:device'], separately: true };
    assert.deepEqual(
      list({ asked, results: rows(['visit:channel', 'Email'], ['visit:device', 'mobile']) }),
      [
        ['Channel is', 'Email', { dimension: 'visit:channel', value: 'Email' }],
        ['Device is', 'Mobile', { dimension: 'visit:device', value: 'mobile' }],
      ],
    );
  });

  it('leave out what nothing can be filtered by', () => {
    assert.deepEqual(
      list(
        { asked: { dimensions: ['time'] }, results: rows(['2026-11-01']) },
        { asked: { dimensions: ['visit:source'] }, results: rows(['Unattributed']) },
        { asked: { dimensions: ['visit:source', 'visit:medium'] }, results: rows(['a', 'b']) },
        { asked: {}, results: rows([]) },
      ),
      [],
    );
  });
});
