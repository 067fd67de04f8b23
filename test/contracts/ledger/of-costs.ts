import assert from 'node:assert/strict';
import type { Cost } from '#domain/money/cost.ts';
import type { CasesOf, LedgerOfContract } from './cases.ts';

type Ledger = LedgerOfContract['ledger'];

/** A cost of a campaign on a day. */
export const costs = (day: string, more: Partial<Cost> = {}): Cost => ({
  ...{ day, source: 'google', medium: 'cpc', campaign: 'ä', channel: 'Paid Search' },
  ...{ amountMinor: 12_345_678_901n, currency: 'EUR', ...more },
});

const WHOLE = { isWhole: true } as const;
const TRIAL = { isWhole: true, isTrial: true } as const;
const PART = { isWhole: false } as const;
const [MONDAY, TUESDAY] = ['2026-11-23', '2026-11-24'] as const;
const NONE = { added: 0, replaced: 0, unchanged: 0, removed: 0, kept: 0 };

/** What of a site’s costs counts. */
async function sumsOf({ ledger }: LedgerOfContract, siteId: string) {
  const listed = await ledger.listCostImports(siteId);
  return listed.map(({ id, costs: count, sums }) => [id, count, sums[0]?.amountMinor]);
}

/** What the API and the dashboard need of a ledger for costs. */
export const ofCosts: CasesOf<
  Pick<Ledger, 'recordCosts' | 'listCostImports' | 'removeCosts' | 'hasCosts'>
> = {
  recordCosts: {
    async 'records a cost once, and replaces one with the same key'(own, site) {
      const record = (amountMinor: bigint) =>
        own.ledger.recordCosts(site, [costs(MONDAY, { amountMinor })], PART);
      assert.deepEqual(await record(500n), { ...NONE, added: 1 });
      await own.reopen();
      assert.deepEqual(await record(500n), { ...NONE, unchanged: 1 });
      assert.deepEqual(await record(700n), { ...NONE, replaced: 1 });
      assert.deepEqual(await sumsOf(own, site), [['api', 1, 700n]]);
      assert.deepEqual(await sumsOf(own, await own.addSite()), []);
    },
    async 'removes the others of a day and source that it has as a whole'(own, site) {
      const both = [costs(MONDAY), costs(MONDAY, { campaign: 'b' }), costs(TUESDAY)];
      await own.ledger.recordCosts(site, both, PART);
      const trial = await own.ledger.recordCosts(site, [costs(MONDAY)], TRIAL);
      assert.deepEqual(trial, { ...NONE, unchanged: 1, removed: 1 });
      assert.equal((await own.ledger.listCostImports(site))[0]?.costs, 3);
      assert.deepEqual(await own.ledger.recordCosts(site, [costs(MONDAY)], WHOLE), trial);
      assert.equal((await own.ledger.listCostImports(site))[0]?.costs, 2);
    },
  },
  listCostImports: {
    async 'lists files with what of them counts, and then what requests have sent'(own, site) {
      await own.ledger.recordCosts(site, [costs(TUESDAY, { amountMinor: 5n })], PART);
      const file = { ...PART, file: 'ü.csv' };
      const all = [costs(MONDAY), costs(MONDAY, { campaign: 'b' })];
      const { importId } = await own.ledger.recordCosts(site, all, file);
      await own.reopen();
      const [found, byRequest] = await own.ledger.listCostImports(site);
      assert.ok(found);
      const { importedAt, ...facts } = found;
      assert.deepEqual(facts, {
        ...{ id: importId, siteId: site, file: 'ü.csv', costs: 2 },
        ...{ firstDay: MONDAY, lastDay: MONDAY },
        sums: [{ currency: 'EUR', amountMinor: 24_691_357_802n }],
      });
      assert.ok(importedAt > 0);
      assert.deepEqual([byRequest?.id, byRequest?.costs], ['api', 1]);
    },
  },
  hasCosts: {
    async 'tells whether the site has any'({ ledger, addSite }, site) {
      assert.equal(await ledger.hasCosts(site), false);
      await ledger.recordCosts(site, [costs(MONDAY)], PART);
      assert.equal(await ledger.hasCosts(site), true);
      assert.equal(await ledger.hasCosts(await addSite()), false);
    },
  },
  removeCosts: {
    async 'removes those of an import, or of days, on its site alone'(own, site) {
      const other = await own.addSite();
      for (const each of [site, other]) {
        await own.ledger.recordCosts(each, [costs(MONDAY), costs(TUESDAY)], PART);
      }
      const days = { from: MONDAY, until: MONDAY };
      assert.equal(await own.ledger.removeCosts(site, { ...days, source: 'bing' }), 0);
      assert.equal(await own.ledger.removeCosts(site, days), 1);
      assert.equal(await own.ledger.removeCosts(site, { importId: 'api' }), 1);
      assert.deepEqual(await own.ledger.listCostImports(site), []);
      assert.equal((await own.ledger.listCostImports(other))[0]?.costs, 2);
    },
  },
};
