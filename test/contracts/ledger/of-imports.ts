import assert from 'node:assert/strict';
import { openTrial } from '#ledger/open-ledger.ts';
import { type CasesOf, type LedgerOfContract, pays } from './cases.ts';

type Ledger = LedgerOfContract['ledger'];
type OfImports = Pick<
  Ledger,
  'beginImport' | 'acceptImported' | 'finishImport' | 'listImports' | 'undoImport'
>;

const begin = ({ ledger }: LedgerOfContract, siteId: string, digest = 'd') =>
  ledger.beginImport({ siteId, file: 'a.csv', format: 'stripe', digest });

/** What imports need of a ledger. They are commands, and so own it in their thread. */
export const ofImports: CasesOf<OfImports> = {
  beginImport: {
    async 'is one import for the same file, and another for another site'(own, site) {
      const id = await begin(own, site);
      await own.reopen();
      assert.equal(await begin(own, site), id);
      assert.notEqual(await begin(own, site, 'e'), id);
      assert.notEqual(await begin(own, await own.addSite()), id);
      assert.equal((await own.ledger.listImports(site)).length, 2);
    },
  },
  acceptImported: {
    async 'records reports, and says of each whether it is the first of its transaction'(
      own,
      site,
    ) {
      await own.ledger.acceptPayment(site, pays('t1'));
      const id = await begin(own, site);
      const reports = [pays('t1'), pays('t2'), pays('t1', { amountMinor: 1n })];
      const outcomes = await own.ledger.acceptImported(id, site, reports);
      assert.deepEqual(
        outcomes.map((outcome) => [outcome.kind, 'isFirst' in outcome]),
        [
          ['unchanged', false],
          ['recorded', true],
          ['transaction_conflict', false],
        ],
      );
      assert.equal((await own.ledger.listImports(site))[0]?.transactions, 1);
      assert.equal((await own.ledger.findPayment(site, 't2'))?.record.statedMinor, 2999n);
    },
  },
  finishImport: {
    async 'notes that the file is read to its end, until it begins again'(own, site) {
      const id = await begin(own, site);
      await own.ledger.finishImport(id);
      const [ended] = await own.ledger.listImports(site);
      assert.ok((ended?.finishedAt ?? 0) >= (ended?.startedAt ?? 0));
      await begin(own, site);
      assert.equal((await own.ledger.listImports(site))[0]?.finishedAt, undefined);
    },
  },
  listImports: {
    async 'lists those of a site or of all, also after a restart'(own, site) {
      const other = await own.addSite();
      const [id, ofOther] = [await begin(own, site), await begin(own, other)];
      await own.reopen();
      const [found, ...more] = await own.ledger.listImports(site);
      const { file, format, siteId, undoneAt } = found ?? {};
      assert.deepEqual([file, format, siteId, undoneAt], ['a.csv', 'stripe', site, undefined]);
      assert.deepEqual([found?.id, more], [id, []]);
      const all = (await own.ledger.listImports()).map((each) => each.id);
      assert.deepEqual([all.includes(id), all.includes(ofOther)], [true, true]);
    },
  },
  undoImport: {
    async 'withdraws what nobody else has reported, and counts what stays'(own, site) {
      const id = await begin(own, site);
      await own.ledger.acceptImported(id, site, [pays('t1'), pays('t2'), pays('t3')]);
      await own.ledger.acceptPayment(site, pays('t1'));
      await own.ledger.voidPayment(site, 't2', { by: 'test', at: 1 });
      const progress: number[] = [];
      const undone = await own.ledger.undoImport(id, (withdrawn) => progress.push(withdrawn));
      const stay = { api: 1, provider: 0, import: 0, hand: 1 };
      assert.deepEqual([undone, progress.at(-1)], [{ withdrawn: 1, stay }, 1]);
      assert.equal(await own.ledger.findPayment(site, 't3'), undefined);
      assert.equal((await own.ledger.findPayment(site, 't1'))?.record.statedMinor, 2999n);
      assert.ok((await own.ledger.listImports(site))[0]?.undoneAt);
    },
  },
};

type Trial = Awaited<ReturnType<typeof openTrial>>;

export const ofTrials: CasesOf<Trial> = {
  accept: {
    async 'answers as the ledger would, and records nothing'({ ledger, location }, site) {
      await ledger.acceptPayment(site, pays('t1'));
      const trial = await openTrial(location);
      const reports = [pays('t1'), pays('t2'), pays('t1', { amountMinor: 1n }), pays('t2')];
      const kinds = (await trial.accept(site, reports)).map(({ kind }) => kind);
      await trial.close();
      assert.deepEqual(kinds, ['unchanged', 'recorded', 'transaction_conflict', 'unchanged']);
      assert.equal(await ledger.findPayment(site, 't2'), undefined);
    },
  },
  close: {
    async 'leaves the ledger open for others'({ ledger, location }, site) {
      await (await openTrial(location)).close();
      assert.deepEqual(await ledger.acceptPayment(site, pays('t1')), { kind: 'recorded' });
    },
  },
};
