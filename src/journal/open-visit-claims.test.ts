import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openVisitClaims, type VisitClaims } from './open-visit-claims.ts';

const GAP_MS = 1_800_000;
const [A, B, C] = ['a', 'b', 'c'].map((visitId) => ({ visitId, visitStartedAt: 5 }));

describe('a claim of a visit', () => {
  let folder: string;
  let processes: VisitClaims[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-claims-'));
    const path = join(folder, 'run', 'visits.db');
    processes = [1, 2].map(() => openVisitClaims({ path, gapMs: GAP_MS }));
  });
  afterEach(() => {
    for (const each of processes) each.close();
    rmSync(folder, { recursive: true });
  });

  const claim = (process: 0 | 1, at: number, fresh = A, visitor = 'ada') =>
    processes[process]?.claim('site_1', visitor, at, fresh ?? assert.fail());

  it('is the first of any process, while the visit is open', () => {
    assert.equal(claim(0, 10, A), A);
    assert.deepEqual(claim(1, 12, B), A);
    assert.deepEqual(claim(0, 12 + GAP_MS - 1, B), A);
    assert.deepEqual(claim(1, 11 + 2 * GAP_MS, C), C);
  });

  it('is one visitor’s on one site', () => {
    claim(0, 10, A);
    assert.equal(claim(1, 10, B, 'bob'), B);
    assert.equal(processes[1]?.claim('site_2', 'ada', 10, C ?? assert.fail()), C);
  });

  it('tells no file who the visitor is', () => {
    claim(0, 10, A, 'a-visitor-of-ours');
    const files = readdirSync(join(folder, 'run'));
    assert.ok(files.length > 0);
    for (const file of files) {
      assert.ok(!readFileSync(join(folder, 'run', file)).includes('a-visitor-of-ours'));
    }
  });
});
