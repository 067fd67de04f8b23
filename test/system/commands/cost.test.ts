import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openLedger } from '#ledger/open-ledger.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir } from '../../server/start-server.ts';

const SEPTEMBER = `Date;Source;Medium;Campaign;Amount;Currency
2026-09-01;google;cpc;autumn;"1.234,50";EUR
2026-09-01;google;cpc;;10;EUR
2026-09-02;fb;paid_social;autumn;20,25;usd
`;
const WRONG = `date,source,medium,campaign,amount,currency,clicks
2026-09-01,google,cpc,autumn,5,EUR,1
2026-09-01,GOOGLE,cpc,autumn,6,EUR,1
01.09.2026,google,cpc,winter,7,EUR,1
2026-09-01,,cpc,winter,-7,XXX,1
2026-09-01,google
`;

let dataDir: string;
beforeEach(async () => {
  dataDir = makeDataDir();
  const ledger = await openLedger({ location: dataPathsOf(dataDir).ledger });
  const site = { domain: 'tea.example', name: 'Tea', timezone: 'UTC', currency: 'EUR' };
  assert.ok((await ledger.addSite({ ...site, allowedHosts: [] })).ok);
  await ledger.close();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** `tributary cost … --site tea.example --json` as a shell runs it. */
async function cost(args: readonly string[], input?: string) {
  const env = { ...process.env, DATA_DIR: dataDir };
  const all = [MAIN, 'cost', ...args, '--site', 'tea.example', '--json'];
  const { promise, resolve } = Promise.withResolvers<{
    readonly code: number;
    readonly out: string;
    readonly stderr: string;
  }>();
  const child = execFile(process.execPath, all, { env }, (_, out, stderr) =>
    resolve({ code: child.exitCode ?? -1, out, stderr }),
  );
  child.stdin?.end(input);
  const { code, out, stderr } = await promise;
  return { code, stderr, value: out === '' ? undefined : JSON.parse(out) };
}

const importFile = (csv: string, ...more: readonly string[]) => cost(['import', '-', ...more], csv);

async function listSums(): Promise<string[]> {
  const { value } = await cost(['list']);
  return value.map(({ file, costs, sums }: { file: string; costs: number; sums: Money[] }) =>
    [file, costs, ...sums.map((sum) => `${sum.value} ${sum.currency}`)].join(' '),
  );
}

type Money = { readonly value: string; readonly currency: string };

describe('the command cost import', () => {
  it('records a file as spreadsheets write it, and the same file again changes nothing', async () => {
    const { code, value } = await importFile(SEPTEMBER);
    assert.equal(code, 0);
    const { id, ...counts } = value;
    assert.match(id, /^imp_/);
    assert.deepEqual(counts, {
      ...{ file: 'stdin', lines: 3, wrong_lines: 0, faults: [], ignored_columns: [] },
      rounded_lines: 0,
      ...{ added: 3, replaced: 0, unchanged: 0, removed: 0, kept: 0 },
      sums: [
        { value: '1244.50', currency: 'EUR' },
        { value: '20.25', currency: 'USD' },
      ],
      ...{ first_day: '2026-09-01', last_day: '2026-09-02' },
    });
    const again = (await importFile(SEPTEMBER)).value;
    assert.deepEqual([again.id, again.added, again.unchanged], [id, 0, 3]);
    assert.deepEqual(await listSums(), ['stdin 3 1244.50 EUR 20.25 USD']);
  });

  it('says how many amounts had more decimals than their currency', async () => {
    const { code, value } = await importFile(
      'date,source,amount,currency\n2026-09-03,x,12.34,JPY\n2026-09-04,x,5.10,EUR\n',
    );
    assert.deepEqual([code, value.rounded_lines], [0, 1]);
    assert.deepEqual(value.sums[1], { value: '12', currency: 'JPY' });
  });

  it('lists every fault of a file with wrong lines, and records none of it', async () => {
    const { code, value } = await importFile(WRONG);
    assert.equal(code, 1);
    const shown = value.faults.map((fault: { line: number; column: string; message: string }) =>
      [fault.line, fault.column, fault.message].join(' '),
    );
    assert.deepEqual(shown, [
      '3  has the same date, source, medium and campaign as line 2: send their sum once',
      '4 date must be a day such as 2026-11-20',
      '5 source must have at least 1 character',
      '5 amount must be at least 0',
      '5 currency must be an ISO 4217 code with a minor unit',
      '6  has 2 cells, and the header has 7',
    ]);
    assert.deepEqual([value.wrong_lines, value.ignored_columns], [4, ['clicks']]);
    assert.deepEqual(await listSums(), []);
  });

  it('tries a file with --dry-run, and records nothing', async () => {
    const { code, value } = await importFile(SEPTEMBER, '--dry-run');
    assert.deepEqual([code, value.added, value.id], [0, 3, undefined]);
    assert.deepEqual(await listSums(), []);
  });

  it('keeps what a smaller file for the same days lacks, and removes it with --whole-days', async () => {
    await importFile(SEPTEMBER);
    const smaller = SEPTEMBER.split('\n')
      .toSpliced(2, 1)
      .join('\n')
      .replace('1.234,50', '1.000,00');
    const { value } = await importFile(smaller);
    assert.deepEqual([value.replaced, value.unchanged, value.removed, value.kept], [1, 1, 0, 1]);
    assert.deepEqual(await listSums(), ['stdin 2 1000.00 EUR 20.25 USD', 'stdin 1 10.00 EUR']);
    const whole = (await importFile(smaller, '--whole-days')).value;
    assert.deepEqual([whole.unchanged, whole.removed, whole.kept], [2, 1, 0]);
    assert.deepEqual(await listSums(), ['stdin 2 1000.00 EUR 20.25 USD']);
  });

  it('says what a file lacks that has no such columns', async () => {
    const { code, stderr } = await importFile('day,source,amount\n2026-09-01,google,1\n');
    assert.deepEqual([code, /lacks date, currency\. Its columns are day,/.test(stderr)], [1, true]);
  });
});

describe('the command cost remove', () => {
  it('removes what of an import no later one has replaced', async () => {
    const { value: first } = await importFile(SEPTEMBER);
    await importFile(
      'date,source,medium,campaign,amount,currency\n2026-09-01,google,cpc,,11,EUR\n',
    );
    assert.deepEqual((await cost(['remove', first.id])).value, { removed: 2 });
    assert.deepEqual(await listSums(), ['stdin 1 11.00 EUR']);
    assert.match((await cost(['remove', first.id])).stderr, /There is no import imp_/);
  });

  it('removes the costs of days, of all sources or one', async () => {
    await importFile(SEPTEMBER);
    const days = ['--from', '2026-09-01', '--until', '2026-09-02'];
    assert.deepEqual((await cost(['remove', ...days, '--source', 'Facebook'])).value, {
      removed: 1,
    });
    assert.deepEqual((await cost(['remove', ...days])).value, { removed: 2 });
    assert.deepEqual(await listSums(), []);
    assert.match((await cost(['remove'])).stderr, /give either the id of an import, or --from and/);
    const odd = await cost(['remove', '--from', 'x', '--until', 'y']);
    assert.deepEqual([odd.code, /Must be a day such as/.test(odd.stderr)], [2, true]);
    const back = await cost(['remove', '--from', '2026-09-02', '--until', '2026-09-01']);
    assert.match(back.stderr, /the last day is before the first/);
  });
});
