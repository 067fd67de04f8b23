import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import { createVisitClaims } from './visit-claims.ts';

const [A, B] = ['a', 'b'].map((visitId) => ({ visitId, visitStartedAt: 5 })) as [Visit, Visit];
type Visit = { visitId: string; visitStartedAt: number };

describe('a claim of a visit in memory', () => {
  it('is the first, while the visit is open', () => {
    const claim = createVisitClaims();
    assert.equal(claim('site_1', 'ada', 10, A), A);
    assert.equal(claim('site_1', 'ada', 9 + VISIT_GAP_MS, B), A);
    assert.equal(claim('site_1', 'ada', 9 + 2 * VISIT_GAP_MS, B), B);
  });

  it('is one visitor’s on one site', () => {
    const claim = createVisitClaims();
    claim('site_1', 'ada', 10, A);
    assert.equal(claim('site_1', 'bob', 10, B), B);
    assert.equal(claim('site_2', 'ada', 10, B), B);
  });
});
