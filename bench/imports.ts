import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withLedgerCounts } from '#ledger/open-ledger.ts';
import { runCli, startServer } from '../test/server/start-server.ts';

const USAGE = `usage: npm run bench -- imports [options]

Imports a CSV file of payments and refunds into a running server: a dry run, the import, the same file again, their
conversion to another currency, and the undo.

  --lines N  lines of the file (200000)
  --json     print one JSON value
`;

const SITE = 'bench.example';
const MINUTE_MS = 60_000;
const MILLION = 1_000_000;

/** How long a step took. */
type Step = { readonly step: string; readonly seconds: number; readonly linesPerSecond: number };

/** The command `npm run bench -- imports`. */
export async function runImports(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      lines: { type: 'string', default: '200000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stderr.write(USAGE);
  const steps = await benchImports(Number(values.lines));
  process.stdout.write(values.json ? `${JSON.stringify(steps)}\n` : toTable(steps));
}

/** Times an import and its undo beside a running server. */
export async function benchImports(lines: number): Promise<readonly Step[]> {
  const server = await startServer();
  const steps: Step[] = [];
  const time = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const answer = await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    steps.push({ step, seconds, linesPerSecond: Math.round(lines / seconds) });
    return answer;
  };
  const payment = <T>(step: string, ...words: readonly string[]): Promise<T> =>
    time(step, () => runCli<T>(['payment', ...words], server.dataDir));
  try {
    await runCli(['site', 'add', SITE, '--currency', 'EUR'], server.dataDir);
    const file = join(server.dataDir, 'payments.csv');
    await pipeline(Readable.from(writeLines(lines)), createWriteStream(file));
    const words = ['import', file, '--site', SITE];
    await payment('dry run', ...words, '--dry-run');
    const { id } = await payment<{ id: string }>('import', ...words);
    await payment('same file again', ...words);
    await runCli(['site', 'set', SITE, '--currency', 'USD'], server.dataDir);
    await time('conversion', () => untilConverted(server.dataDir));
    await payment('undo', 'undo-import', id);
    return steps;
  } finally {
    await server.stop();
    server.cleanUp();
  }
}

/** Resolves when reports show the new currency. */
async function untilConverted(dataDir: string): Promise<void> {
  const path = join(dataDir, 'ledger.db');
  for (;;) {
    const sites = await withLedgerCounts(path, (ledger) => ledger.listSites());
    if (sites?.every(({ shown, currency }) => shown?.currency === currency)) return;
    await sleep(100);
  }
}

/** Four payments a customer, and a refund of one payment in twenty. */
function* writeLines(lines: number): Generator<string> {
  yield 'transaction_id,amount,currency,timestamp,email,name,customer_id,refunded,refunded_at,original_transaction_id,product\n';
  const start = Date.UTC(2024, 0, 1);
  for (let line = 0; line < lines; line += 1) {
    const at = new Date(start + line * MINUTE_MS).toISOString();
    const buyer = Math.floor(line / 4);
    const who = `buyer${buyer}@example.com,"Buyer, ${buyer}",cus_${buyer}`;
    yield line % 20 === 19
      ? `re_${line},9.99,EUR,,${who},true,${at},pi_${line - 1},Tea\n`
      : `pi_${line},${10 + (line % 90)}.90,EUR,${at},${who},,,,Tea\n`;
  }
}

function toTable(steps: readonly Step[]): string {
  const rows = steps.map(({ step, seconds, linesPerSecond }) => {
    const million = MILLION / linesPerSecond;
    return `| ${step} | ${seconds.toFixed(1)} s | ${linesPerSecond.toLocaleString('en')} | ${million.toFixed(0)} s |\n`;
  });
  return `| step | took | lines a second | a million at this rate |\n|---|---|---|---|\n${rows.join('')}`;
}
