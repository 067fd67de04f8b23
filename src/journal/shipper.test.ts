import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { createShipper } from './shipper.ts';

describe('the shipper', () => {
  it('retries a failed shipment unchanged, with the same token, before the next', async () => {
    const sent: string[] = [];
    let failures = 2;
    const shipper = createShipper({
      sources: [queueOf(['a', 'b'])],
      async insertLines(_table, lines, token) {
        sent.push(`${token}:${lines}`);
        if (failures-- > 0) throw new Error('away');
      },
      onFailure() {},
    });
    await assert.rejects(shipper.drain(), /away/);
    await assert.rejects(shipper.drain(), /away/);
    await shipper.drain();
    assert.deepEqual(sent, ['t-a:a', 't-a:a', 't-a:a', 't-b:b']);
    await shipper.stop();
  });

  it('ships other sources when one fails, and reports the failure', async () => {
    const sent: string[] = [];
    const broken: ShipmentSource = {
      nextShipment() {
        throw new Error('unreadable');
      },
    };
    const shipper = createShipper({
      sources: [broken, queueOf(['a']), queueOf(['refused', 'never']), queueOf(['b', 'c'])],
      async insertLines(_table, lines) {
        if (lines.toString() === 'refused') throw new Error('no room');
        sent.push(lines.toString());
      },
      onFailure() {},
    });
    await assert.rejects(shipper.drain(), /unreadable/);
    assert.deepEqual(sent, ['a', 'b', 'c']);
    await shipper.stop();
  });

  it('resolves when everything present is shipped, despite failures, and at once without a backlog', async () => {
    const queue = ['a', 'b'];
    const sent: string[] = [];
    let failures = 1;
    const shipper = createShipper({
      sources: [queueOf(queue)],
      async insertLines(_table, lines) {
        if (failures-- > 0) throw new Error('away');
        sent.push(lines.toString());
      },
      onFailure() {},
      intervalMs: 1,
      retryMaxMs: 2,
    });
    await shipper.shipped();
    assert.deepEqual(sent, ['a', 'b']);
    queue.push('c');
    await shipper.shipped();
    assert.deepEqual(sent, ['a', 'b', 'c']);
    await shipper.shipped();
    await shipper.stop();
  });

  it('retries by itself after a failure, and reports it once', async () => {
    const failures: unknown[] = [];
    let attempts = 0;
    const shipped = Promise.withResolvers<void>();
    const shipper = createShipper({
      sources: [queueOf(['a'])],
      async insertLines() {
        attempts += 1;
        if (attempts < 3) throw new Error('away');
        shipped.resolve();
      },
      onFailure: (error) => failures.push(error),
      intervalMs: 1,
      retryMaxMs: 2,
    });
    shipper.wake();
    await shipped.promise;
    assert.equal(failures.length, 1);
    await shipper.stop();
  });

  it('ships at once for a waiting caller, and limits the rate of such runs', async () => {
    const queue: string[] = [];
    let inserted = Promise.withResolvers<number>();
    const shipper = createShipper({
      sources: [{ nextShipment: () => queueOf(queue.splice(0)).nextShipment() }],
      insertLines: async () => inserted.resolve(performance.now()),
      onFailure() {},
      intervalMs: 60_000,
    });
    const hurryAnother = () => {
      inserted = Promise.withResolvers<number>();
      queue.push('row');
      shipper.wake();
      void shipper.shipped();
      return inserted.promise;
    };
    const first = await hurryAnother();
    const second = await hurryAnother();
    await shipper.stop();
    assert.ok(second - first > 100 && second - first < 10_000, `${second - first} ms`);
  });

  it('ships what other sources have between the parts of a long one', async () => {
    const [long, others] = [['a', 'b'], [] as string[]];
    const sent: string[] = [];
    const ended = Promise.withResolvers<void>();
    const shipper = createShipper({
      sources: [
        {
          async nextShipment() {
            const shipment = await queueOf(long).nextShipment();
            return shipment && { ...shipment, hasMore: false, hasMoreLater: 'soon' };
          },
        },
        queueOf(others),
      ],
      async insertLines(_table, lines) {
        sent.push(lines.toString());
        if (lines.toString() === 'a') setTimeout(() => others.push('1'), 50);
        if (sent.length === 3) ended.resolve();
      },
      onFailure: assert.fail,
      intervalMs: 60_000,
    });
    void shipper.shipped();
    await ended.promise;
    assert.deepEqual(sent, ['a', 'b', '1']);
    await shipper.stop();
  });

  it('archives a shipment between insert and deletion, and repeats all three after a failure', async () => {
    const steps: string[] = [];
    const queue = queueOf(['a']);
    let failures = 1;
    const shipper = createShipper({
      sources: [
        {
          async nextShipment() {
            const shipment = await queue.nextShipment();
            const confirm = async () => {
              steps.push('confirm');
              await shipment?.confirm();
            };
            return shipment && { ...shipment, confirm };
          },
        },
      ],
      insertLines: async (_table, _lines, token) => void steps.push(`insert ${token}`),
      async archive({ token }) {
        steps.push(`archive ${token}`);
        if (failures-- > 0) throw new Error('disk full');
      },
      onFailure() {},
    });
    await assert.rejects(shipper.drain(), /disk full/);
    await shipper.drain();
    assert.deepEqual(steps, [
      ...['insert t-a', 'archive t-a', 'insert t-a', 'archive t-a', 'confirm'],
    ]);
    await shipper.stop();
  });

  it('takes turns among sources, and ships a backlog without pauses', async () => {
    const sent: string[] = [];
    const shipped = Promise.withResolvers<void>();
    const shipper = createShipper({
      sources: [queueOf(['a', 'b', 'c']), queueOf(['1'])],
      async insertLines(_table, lines) {
        sent.push(lines.toString());
        if (sent.length === 4) shipped.resolve();
      },
      onFailure: assert.fail,
      intervalMs: 1,
    });
    shipper.wake();
    await shipped.promise;
    assert.deepEqual(sent, ['a', '1', 'b', 'c']);
    await shipper.stop();
  });

  it('never has two shipments in flight', async () => {
    let underWay = 0;
    let most = 0;
    const shipper = createShipper({
      sources: [queueOf(['a', 'b', 'c'])],
      async insertLines() {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
      },
      onFailure: assert.fail,
    });
    await Promise.all([shipper.drain(), shipper.drain(), shipper.drain()]);
    assert.equal(most, 1);
    await shipper.stop();
  });
});

function queueOf(texts: string[]): ShipmentSource {
  return {
    nextShipment(): Shipment | undefined {
      const [text] = texts;
      if (text === undefined) return undefined;
      return {
        table: 'events',
        lines: Buffer.from(text),
        rows: 1,
        token: `t-${text}`,
        hasMore: texts.length > 1,
        confirm: () => void texts.shift(),
      };
    },
  };
}
