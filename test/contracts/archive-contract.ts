import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Archive } from '#journal/archive/open-archive.ts';

/** A shipment as read by a rebuild. */
export type ReadShipment = {
  readonly token: string;
  readonly rows: number;
  readonly lines: string;
};

/** An archive of one implementation, empty when first opened. */
export type OpenedArchive = {
  readonly archive: Archive;
  /** The archive as found by the next start of the program. */
  reopen(): Promise<Archive>;
  /** Its contents, in the order in which a rebuild reads them. */
  read(): Promise<ReadShipment[]>;
  close(): Promise<void>;
};

const shipmentOf = (token: string, lines = `{"of":"${token}"}\n`) => ({
  ...{ token, rows: lines.split('\n').length - 1, lines: Buffer.from(lines) },
});

/** What shipping and rebuilds require of every archive. */
export function describeArchive(name: string, open: () => Promise<OpenedArchive>): void {
  describe(`shipments in ${name}`, () => {
    let own: OpenedArchive;
    beforeEach(async () => {
      own = await open();
    });
    afterEach(() => own.close());
    const readTokens = async () => (await own.read()).map(({ token }) => token);

    it('are read as they were kept, byte for byte', async () => {
      const lines = '["1","é"]\n["2","\\u0000"]\n';
      await own.archive.keep(shipmentOf('journal-1-1-2', lines));
      assert.deepEqual(await own.read(), [{ token: 'journal-1-1-2', rows: 2, lines }]);
    });

    it('are there as soon as they are kept, in their order, over several starts', async () => {
      await own.archive.keep(shipmentOf('journal-1-1-1'));
      await own.archive.keep(shipmentOf('journal-1-2-2'));
      const again = await own.reopen();
      await again.keep(shipmentOf('journal-1-3-3'));
      assert.deepEqual(await readTokens(), ['journal-1-1-1', 'journal-1-2-2', 'journal-1-3-3']);
    });

    it('may be there twice, under the same token', async () => {
      await own.archive.keep(shipmentOf('journal-1-1-1'));
      const again = await own.reopen();
      await again.keep(shipmentOf('journal-1-1-1'));
      assert.deepEqual(await readTokens(), ['journal-1-1-1', 'journal-1-1-1']);
    });

    it('may be large', async () => {
      const lines = `["${'x'.repeat(999)}"]\n`.repeat(5_000);
      await own.archive.keep(shipmentOf('journal-1-1-9', lines));
      const [found] = await own.read();
      assert.equal(found?.rows, 5_000);
      assert.equal(found?.lines === lines, true);
    });
  });
}
