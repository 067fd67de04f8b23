import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { createAcceptPayment } from './accept-payment.ts';
import { createVisitorDirectory } from './visitor-directory.ts';

const START = Date.UTC(2026, 10, 21, 12);
const SEEN: KnownVisitor = {
  botClass: '',
  hasPageview: true,
  visitId: undefined,
  visitStartedAt: START,
  lastEventAt: START,
};

describe('accepting a payment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-payments-'));
  let ledger: Ledger;
  before(async () => {
    ledger = await openLedger({ location: join(folder, 'ledger.db') });
  });
  after(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const never = new Promise<never>(() => {});
  type Find = () => Promise<KnownVisitor | undefined>;
  const warehouses: Readonly<Record<string, Find>> = {
    knowing: async () => SEEN,
    empty: async () => undefined,
    silent: () => Promise.reject(new UnavailableError('The warehouse does not answer.')),
    hanging: () => never,
  };

  let count = 0;
  async function accept(warehouse: string, fields: Record<string, unknown>) {
    const find = warehouses[warehouse] as Find;
    const acceptPayment = createAcceptPayment({
      ledger,
      directory: createVisitorDirectory({
        findVisitors: (visitors) => Promise.all(visitors.map(find)),
        waitForShipping: () => never,
      }),
      now: () => START,
    });
    count += 1;
    const accepted = await acceptPayment({
      siteId: 'site_1',
      timezone: 'Europe/Berlin',
      payment: {
        fields: { amount: 29.99, currency: 'eur', transaction_id: `t-${count}`, ...fields },
        amountText: '29.99',
        hasBadVisitor: false,
        faults: [],
      },
    });
    assert.ok(accepted.ok);
    const answer = JSON.parse(accepted.value.answer);
    assert.equal(answer.transaction_id, fields.transaction_id ?? `t-${count}`);
    return answer.message as string;
  }

  const cases = [
    ['of nobody', 'knowing', undefined, /^Payment recorded. This report names no visitor/],
    ['of a visitor who was seen', 'knowing', 'ada', /recorded and attributed/],
    ['of a visitor who was not', 'empty', 'ada', /no pageview yet/],
    ['while the warehouse is silent', 'silent', 'ada', /if there is one/],
    ['while the warehouse hangs', 'hanging', 'ada', /if there is one/],
  ] as const;
  for (const [rule, warehouse, visitor, message] of cases) {
    it(`says whether one ${rule} is attributed`, async () => {
      const fields = visitor === undefined ? {} : { service_visitor_id: visitor };
      assert.match(await accept(warehouse, fields), message);
    });
  }

  it('says that a customer may lead to another visitor than an unseen one', async () => {
    const fields = { service_visitor_id: 'ada', customer_id: 'cus_1' };
    assert.match(await accept('empty', fields), /no pageview yet; .*or if its customer is known/);
  });

  it('says that the visitor on record stays, when a later report names none or another', async () => {
    const id = { transaction_id: 'known' };
    await accept('knowing', { ...id, service_visitor_id: 'ada' });
    for (const fields of [{}, { refunded: true }, { service_visitor_id: 'ben' }]) {
      const message = await accept('knowing', { ...id, ...fields });
      assert.match(message, /^(Payment|Refund) recorded\. The visitor on record for it stays: /);
    }
    const same = await accept('knowing', { ...id, service_visitor_id: 'ada' });
    assert.match(same, /attributed to the visitor's traffic source/);
  });

  it('calls a refund a refund', async () => {
    const fields = { service_visitor_id: 'nobody-else', refunded: true };
    assert.match(await accept('knowing', fields), /^Refund recorded\. No known payment matches it/);
  });
});
