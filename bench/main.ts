import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchIngest } from './ingest.ts';

/** `npm run bench [-- ingest] [--rounds 3] [--round-ms 4000] [--json]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    'round-ms': { type: 'string', default: '4000' },
    json: { type: 'boolean', default: false },
  },
});
const [what = 'ingest'] = positionals;
if (what !== 'ingest') {
  process.stderr.write(`There is no bench "${what}". There is: ingest.\n`);
  process.exit(2);
}

const result = await benchIngest({
  rounds: Number(values.rounds),
  roundMs: Number(values['round-ms']),
});
if (values.json) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
} else {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  process.stdout.write(
    `${machine}\n64 keep-alive connections from a process of its own, ${values.rounds} alternating rounds of ${values['round-ms']} ms\n\n`,
  );
  process.stdout.write(
    'what        per second   bare node:http   ratio   p50 ms   p99 ms   failures\n',
  );
  for (const row of result.figures) {
    process.stdout.write(
      `${row.kind.padEnd(12)}${String(row.perSecond).padStart(10)}${String(row.barePerSecond).padStart(17)}${row.ratio.toFixed(2).padStart(8)}${row.p50Ms.toFixed(1).padStart(9)}${row.p99Ms.toFixed(1).padStart(9)}${String(row.failures).padStart(11)}\n`,
    );
  }
  process.stdout.write(
    `\nidle: ${result.idle.residentMb.toFixed(0)} MB resident, ${result.idle.cpuPercent.toFixed(1)} % of a core; under load at most ${result.peakMb.toFixed(0)} MB (all processes together)\n`,
  );
}
