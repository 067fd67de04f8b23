import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { toUsageFault, toWhole } from '../test/run/usage-fault.ts';
import { runAll } from './all.ts';
import { runBatches } from './batches.ts';
import { runDisk } from './disk.ts';
import { runFeel } from './feel.ts';
import { runFirstRun } from './first-run.ts';
import { runImports } from './imports.ts';
import { benchIngest, type IngestResult, KINDS } from './ingest.ts';
import { runQueries } from './queries/queries.ts';
import { runSoak } from './soak.ts';
import { runWebhooks } from './webhooks.ts';
import { writeDocs } from './write-docs.ts';

const USAGE = `usage: npm run bench -- [ingest] [options]
       npm run bench -- all|batches|disk|feel|first-run|imports|queries|soak|webhooks --help

  --rounds N      alternating rounds for each kind of request (3)
  --round-ms MS   how long each lasts (4000)
  --kinds A,B     only these of pageviews, goals, payments
  --write-docs    write the figures into README.md and docs/performance.md
  --json          print one JSON value
`;

const OTHERS = {
  all: runAll,
  batches: runBatches,
  disk: runDisk,
  feel: runFeel,
  'first-run': runFirstRun,
  imports: runImports,
  queries: runQueries,
  soak: runSoak,
  webhooks: runWebhooks,
};
const other = Object.entries(OTHERS).find(([name]) => name === process.argv[2]);
if (other !== undefined) {
  await other[1](process.argv.slice(3)).catch((error) => refuseUsage(toUsageFault(error)));
  process.exit();
}

const { values, positionals } = readOptions();
if (values.help) {
  process.stderr.write(USAGE);
  process.exit(0);
}
const [what = 'ingest', more] = positionals;
if (what !== 'ingest') refuseUsage(`there is no bench ${what}`);
if (more !== undefined) refuseUsage(`${more} is one argument too many`);

const rounds = readWhole('rounds');
const roundMs = readWhole('round-ms');
const named = values.kinds.split(',');
const odd = named.find((name) => !KINDS.some((kind) => kind === name));
if (odd !== undefined) refuseUsage(`--kinds takes some of ${KINDS.join(', ')}, not ${odd}`);
const kinds = KINDS.filter((kind) => named.includes(kind));
const result = await benchIngest({ rounds, roundMs, kinds });
const table = toTable(result);
process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : table);
if (values['write-docs']) {
  writeDocs('README.md', 'figures', toSmallTable(result));
  writeDocs('docs/performance.md', 'ingest', table);
}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '3' },
        'round-ms': { type: 'string', default: '4000' },
        kinds: { type: 'string', default: KINDS.join(',') },
        'write-docs': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuseUsage(toUsageFault(error));
  }
}

function readWhole(option: 'rounds' | 'round-ms'): number {
  const text = values[option];
  return toWhole(text, 1) ?? refuseUsage(`--${option} takes a whole number from 1 on, not ${text}`);
}

function refuseUsage(fault: string): never {
  process.stderr.write(`bench: ${fault}\nnpm run bench -- --help says what there is.\n`);
  process.exit(2);
}

/** The README's figures. */
function toSmallTable({ figures }: IngestResult): string {
  const rows = figures.map(
    ({ kind, perSecond, ratio, p99Ms }) =>
      `| ${kind} | ${perSecond.toLocaleString('en')} | ${ratio.toFixed(2)} | ${p99Ms.toFixed(1)} ms |\n`,
  );
  return `| ${cpus().length} cores | a second | ratio to bare \`node:http\` | p99 |\n|---|---|---|---|\n${rows.join('')}`;
}

function toTable({ figures, idle, peakMb }: IngestResult): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const rows = figures.map(
    (row) =>
      `| ${row.kind} | ${row.perSecond.toLocaleString('en')} | ${row.barePerSecond.toLocaleString('en')} | ${row.ratio.toFixed(2)} | ${row.syncedPerSecond.toLocaleString('en')} | ${row.p50Ms.toFixed(1)} ms | ${row.p99Ms.toFixed(1)} ms | ${row.p99AtHalfMs.toFixed(1)} ms | ${row.failures} |\n`,
  );
  return `${machine}; 64 keep-alive connections from a process of its own; ${rounds} rounds of ${roundMs / 1000} s.

| what | a second | bare \`node:http\` | ratio | bare, synced | p50 | p99 | p99 at half the rate | failures |
|---|---|---|---|---|---|---|---|---|
${rows.join('')}
${cpuTable(figures)}
All processes together: ${idle.residentMb.toFixed(0)} MB resident when idle, at most ${peakMb.toFixed(0)} MB under this load; idle, ${idle.cpuPercent.toFixed(1)} % of a core.
`;
}

function cpuTable(figures: IngestResult['figures']): string {
  const parts = figures[0]?.cpuUs.map(({ part }) => part) ?? [];
  const rows = figures.map(
    ({ kind, cpuUs }) => `| ${kind} | ${cpuUs.map(({ us }) => us.toFixed(1)).join(' | ')} |\n`,
  );
  return `Microseconds of processor time for one request, shipping included:

| what | ${parts.join(' | ')} |
|---|${'---|'.repeat(parts.length)}
${rows.join('')}`;
}
