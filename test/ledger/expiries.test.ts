import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openErasures } from '#ledger/erasure/open-erasures.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

const DAY_MS = 86_400_000;
const own = makeLedgerForEachTest();

function addSite(): string {
  const added = own.ledger.addSite({ domain: 'example.com', timezone: 'UTC', currency: 'USD' });
  assert.ok(added.ok);
  own.ledger.setSite(added.value.id, { retention: '30d' });
  return added.value.id;
}

it('retention expires nothing while the clock is not trusted', () => {
  addSite();
  let isTrusted = false;
  const trustedNow = () => (isTrusted ? own.clock : undefined);
  const erasures = openErasures(own.path, () => own.clock, trustedNow);
  own.clock += 60 * DAY_MS;
  assert.equal(erasures.isAnythingDue(), false);
  erasures.requestExpiries();
  assert.equal(erasures.findNext(), undefined);

  own.clock -= 60 * DAY_MS;
  isTrusted = true;
  assert.equal(erasures.isAnythingDue(), true);
  erasures.requestExpiries();
  assert.equal(erasures.findNext()?.before, own.clock - 30 * DAY_MS);
  erasures.close();
});
