import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import { createOpenVisits } from './open-visits.ts';

const [A, B] = ['a', 'b'].map((visitId) => ({ visitId, visitStartedAt: 5 })) as [Visit, Visit];
type Visit = { visitId: string; visitStartedAt: number };

describe('a visit that was just opened', () => {
  it('is returned while it is open', () => {
    const open = createOpenVisits();
    assert.equal(open('site_1', 'ada', 10, A), A);
    assert.equal(open('site_1', 'ada', 9 + VISIT_GAP_MS, B), A);
    assert.equal(open('site_1', 'ada', 9 + 2 * VISIT_GAP_MS, B), B);
  });

  it('belongs to one visitor on one site', () => {
    const open = createOpenVisits();
    open('site_1', 'ada', 10, A);
    assert.equal(open('site_1', 'bob', 10, B), B);
    assert.equal(open('site_2', 'ada', 10, B), B);
  });
});
