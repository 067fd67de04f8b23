import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { openVisitorExchange } from './open-visitor-exchange.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-exchange-'));
const known = (hasPageview: boolean, visitId: string): KnownVisitor => ({
  ...{ botClass: '', hasPageview, visitId, visitStartedAt: 1, lastEventAt: 2 },
});
const open = (index: number, visitors: Record<string, KnownVisitor>) =>
  openVisitorExchange({
    index,
    count: 4,
    socketOf: (each) => join(folder, `${each}.sock`),
    recall: (siteId, visitorId) => visitors[`${siteId} ${visitorId}`],
  });

describe('what web processes know of visitors', () => {
  const first = open(0, { 's own': known(true, 'a') });
  const second = open(1, { 's ü': known(true, 'b'), 's both': known(false, 'c') });
  const third = open(2, { 's both': known(true, 'd') });
  after(() => {
    for (const exchange of [first, second, third]) exchange.close();
    rmSync(folder, { recursive: true });
  });

  it('is told to each other, in the order asked, and a pageview is worth more', async () => {
    const names = ['ü', 'stranger', 'both'].map((visitorId) => ({ siteId: 's', visitorId }));
    // One of the processes is not there, and is waited for by nobody.
    assert.deepEqual(await first.ask(names), [known(true, 'b'), undefined, known(true, 'd')]);
    const other = [{ siteId: 'other', visitorId: 'own' }];
    assert.deepEqual(await second.ask(other), [undefined]);
  });

  it('is answered by a process that follows one that was killed', async () => {
    third.close();
    const again = open(2, { 's new': known(true, 'e') });
    const [found] = await first.ask([{ siteId: 's', visitorId: 'new' }]);
    again.close();
    assert.deepEqual(found, known(true, 'e'));
  });
});
