import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { IngestLedger } from '#ingest/ports.ts';

/** A ledger of one implementation, empty when first opened. */
export type OpenedLedger = {
  readonly ledger: IngestLedger;
  /** The ledger as found by the next start of the program. */
  reopen(): Promise<IngestLedger>;
  /** The number of its events waiting to be shipped. */
  countEvents(): number | Promise<number>;
  close(): Promise<void>;
};

const PAYMENT: PaymentReport = {
  ...{ transactionId: 'tx', amountMinor: 2999n, currency: 'EUR' },
  ...{ renewal: false, refunded: false, receivedAt: 1 },
};
const EVENT_ID = '0190163d-8694-739b-aea5-966c26f8ad90';
const GOAL: EventRow = {
  ...{ site_id: 'site_1', occurred_at: 1, accepted_at: 1, event_id: EVENT_ID },
  ...{ type: 'goal', visitor_id: 'v' },
};
const CLAIM = { key: 'k', bodyDigest: 'd', answer: 'first', subject: 'v' };
const MANY = 64;

/** What ingest requires of every ledger. */
export function describeLedger(name: string, open: () => Promise<OpenedLedger>): void {
  describe(name, () => {
    let own: OpenedLedger;
    let ledger: IngestLedger;
    beforeEach(async () => {
      own = await open();
      ledger = own.ledger;
    });
    afterEach(() => own.close());
    const restart = async () => {
      ledger = await own.reopen();
    };

    describe('payments', () => {
      it('are recorded once, also after a restart', async () => {
        assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT), { kind: 'recorded' });
        await restart();
        assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT), { kind: 'unchanged' });
      });

      it('are one when many identical reports come at once', async () => {
        const kinds = await atOnce(() => ledger.acceptPayment('site_1', PAYMENT));
        assert.equal(kinds.filter((kind) => kind === 'recorded').length, 1);
        assert.equal(kinds.filter((kind) => kind === 'unchanged').length, MANY - 1);
      });

      it('of two sites may have the same transaction id', async () => {
        await ledger.acceptPayment('site_1', PAYMENT);
        const other = await ledger.acceptPayment('site_2', { ...PAYMENT, amountMinor: 1n });
        assert.deepEqual(other, { kind: 'recorded' });
      });

      it('are refused when they contradict the record, and their neighbours are not', async () => {
        await ledger.acceptPayment('site_1', PAYMENT);
        const changes = [{ transactionId: 'ty' }, { amountMinor: 1n }, { transactionId: 'tz' }];
        const outcomes = await Promise.all(
          changes.map((change) => ledger.acceptPayment('site_1', { ...PAYMENT, ...change })),
        );
        const kinds = outcomes.map(({ kind }) => kind);
        assert.deepEqual(kinds, ['recorded', 'transaction_conflict', 'recorded']);
      });
    });

    describe('answers', () => {
      const replayed = { kind: 'replayed', answer: 'first' } as const;
      const conflict = { kind: 'idempotency_conflict' } as const;

      it('are given again for the same key, also after a restart', async () => {
        assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT, CLAIM), {
          kind: 'recorded',
        });
        await restart();
        assert.deepEqual(await ledger.findAnswer('site_1', CLAIM), replayed);
        const later = { ...CLAIM, answer: 'second' };
        assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT, later), replayed);
      });

      it('are a conflict for the same key with another body', async () => {
        await ledger.acceptPayment('site_1', PAYMENT, CLAIM);
        const other = { ...CLAIM, bodyDigest: 'e' };
        assert.deepEqual(await ledger.findAnswer('site_1', other), conflict);
        assert.deepEqual(await ledger.acceptEvents([{ row: GOAL }], other), conflict);
      });

      it('belong to their site, and not to a refused report', async () => {
        await ledger.acceptPayment('site_1', PAYMENT);
        const contradiction = { ...PAYMENT, amountMinor: 1n };
        await ledger.acceptPayment('site_1', contradiction, CLAIM);
        assert.equal(await ledger.findAnswer('site_1', CLAIM), undefined);
        await ledger.acceptPayment('site_1', { ...PAYMENT, transactionId: 'ty' }, CLAIM);
        assert.equal(await ledger.findAnswer('site_2', CLAIM), undefined);
      });

      it('are one for many goals at once, of which one waits to be shipped', async () => {
        const kinds = await atOnce(() => ledger.acceptEvents([{ row: GOAL }], CLAIM));
        assert.equal(kinds.filter((kind) => kind === 'recorded').length, 1);
        assert.equal(kinds.filter((kind) => kind === 'replayed').length, MANY - 1);
        assert.equal(await own.countEvents(), 1);
      });
    });

    describe('events', () => {
      const once = { row: GOAL, onceId: EVENT_ID };

      it('with an id count once on their site, also after a restart', async () => {
        await ledger.acceptEvents([once, once]);
        await restart();
        await ledger.acceptEvents([once]);
        assert.equal(await own.countEvents(), 1);
        await ledger.acceptEvents([{ ...once, row: { ...GOAL, site_id: 'site_2' } }]);
        assert.equal(await own.countEvents(), 2);
      });

      it('without one count each time', async () => {
        await ledger.acceptEvents([{ row: GOAL }]);
        await ledger.acceptEvents([{ row: GOAL }]);
        assert.equal(await own.countEvents(), 2);
      });
    });
  });
}

async function atOnce(work: () => Promise<{ readonly kind: string }>): Promise<string[]> {
  const outcomes = await Promise.all(Array.from({ length: MANY }, work));
  return outcomes.map(({ kind }) => kind);
}
