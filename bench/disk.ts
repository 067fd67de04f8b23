import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runCli, startServer } from '../test/server/start-server.ts';
import { askEngine } from '../test/server/warehouse-door.ts';
import { untilShipped } from '../test/torture/recount.ts';
import { writeDocs } from './write-docs.ts';

const USAGE = `usage: npm run bench -- disk [options]

  --days N      days of the demo (90)
  --visitors N  visitors of the demo (20000)
  --write-docs  write the figures into docs/performance.md
  --json        print one JSON value
`;

/** Merges have caught up after this long without any. */
const QUIET_MS = 3_000;

/** Bytes on disk per event of the demo, by table. */
export type DiskResult = {
  readonly events: number;
  readonly bytesByTable: Readonly<Record<string, number>>;
};

/** Sends the demo to a new server and measures the warehouse once merges are done. */
export async function benchDisk(demo: readonly string[]): Promise<DiskResult> {
  const server = await startServer();
  const ask = (sql: string) => askEngine(join(server.dataDir, 'run', 'warehouse.sock'), sql);
  try {
    await runCli(['demo', ...demo], server.dataDir);
    await untilShipped(server);
    await untilMerged(ask);
    const [[events] = []] = await ask('SELECT count() FROM events');
    const sizes = await ask(
      `SELECT table, sum(bytes_on_disk) / ${events} AS size FROM system.parts
       WHERE active AND database = currentDatabase() GROUP BY table ORDER BY size DESC`,
    );
    return {
      events: Number(events),
      bytesByTable: Object.fromEntries(sizes.map(([table = '', size]) => [table, Number(size)])),
    };
  } finally {
    await server.stop();
    server.cleanUp();
  }
}

async function untilMerged(ask: (sql: string) => Promise<string[][]>): Promise<void> {
  let quietSince = performance.now();
  while (performance.now() - quietSince < QUIET_MS) {
    const [[merges] = []] = await ask('SELECT count() FROM system.merges');
    if (merges !== '0') quietSince = performance.now();
    await sleep(100);
  }
}

/** The command `npm run bench -- disk`. */
export async function runDisk(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      days: { type: 'string', default: '90' },
      visitors: { type: 'string', default: '20000' },
      'write-docs': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const result = await benchDisk(['--days', values.days, '--visitors', values.visitors]);
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : toText(result));
  if (values['write-docs']) writeDocs('docs/performance.md', 'disk', toText(result));
}

function toText({ events, bytesByTable }: DiskResult): string {
  const tables = Object.entries(bytesByTable);
  const sum = tables.reduce((total, [, bytes]) => total + bytes, 0);
  const parts = tables.map(([table, bytes]) => `${table} ${bytes.toFixed(1)}`).join(', ');
  return `${events.toLocaleString('en')} events of the demo; bytes on disk for each: ${parts}; together ${sum.toFixed(1)}.\n`;
}
