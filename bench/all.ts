import { parseArgs } from 'node:util';
import { aimsOfDisk, aimsOfIngest, aimsOfQueries, isMet, toAimsTable } from './aims.ts';
import { benchDisk } from './disk.ts';
import { benchIngest, KINDS } from './ingest.ts';
import { benchQueries, QUERIES_OPTIONS, toQueriesOptions } from './queries/queries.ts';
import { toText } from './queries/queries-text.ts';

const USAGE = `usage: npm run bench -- all [options of queries]

Runs disk, ingest and queries over 2,000,000 and 20,000,000 events, and prints each figure beside what it is to
be. It ends with 1 when one is not met. With --against FOLDER it takes some forty minutes the first time.

  --json            print one JSON value
`;

const INGEST = { rounds: 3, roundMs: 4_000, kinds: KINDS };
const DEMO = ['--days', '90', '--visitors', '20000'];

/** The command `npm run bench -- all`. */
export async function runAll(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...QUERIES_OPTIONS,
      events: { type: 'string', default: '2000000,20000000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const aims = aimsOfDisk(await benchDisk(DEMO));
  aims.push(...aimsOfIngest(await benchIngest(INGEST)));
  for await (const result of benchQueries(toQueriesOptions(values))) {
    if (!values.json) process.stdout.write(`${toText(result)}\n`);
    aims.push(...aimsOfQueries(result));
  }
  process.stdout.write(values.json ? `${JSON.stringify(aims)}\n` : toAimsTable(aims));
  if (!aims.every(isMet)) process.exitCode = 1;
}
