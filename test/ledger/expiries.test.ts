import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { makeLedgerForEachTest, openErasures } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();

async function addSite(): Promise<string> {
  const added = await own.ledger.addSite({
    domain: 'example.com',
    timezone: 'UTC',
    currency: 'USD',
  });
  assert.ok(added.ok);
  await own.ledger.setSite(added.value.id, { retention: '30d' });
  return added.value.id;
}

it('retention expires nothing while the clock is not trusted', async () => {
  await addSite();
  let isTrusted = false;
  const trustedNow = () => (isTrusted ? own.clock : undefined);
  const erasures = await openErasures(own.path, () => own.clock, trustedNow);
  own.clock += 60 * DAY_MS;
  assert.equal(await erasures.isAnythingDue(), false);
  await erasures.requestExpiries();
  assert.equal(await erasures.findNext(), undefined);

  own.clock -= 60 * DAY_MS;
  isTrusted = true;
  assert.equal(await erasures.isAnythingDue(), true);
  await erasures.requestExpiries();
  assert.equal((await erasures.findNext())?.before, own.clock - 30 * DAY_MS);
  await erasures.close();
});
