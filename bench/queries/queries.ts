import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeDocs } from '../write-docs.ts';
import { type AskResult, askHistory } from './ask-history.ts';
import { toDocsText, toText } from './queries-text.ts';

const USAGE = `usage: npm run bench -- queries [options]

Asks the panels of a dashboard and every attribution model, while 200 events and one payment a second flow in.

  --against FOLDER  another checkout to compare with, in alternating rounds on the same history
  --events LIST     events of each history (2000000)
  --days N          the period that panels ask about (30)
  --rounds N        how often each query is sent (5)
  --seed N          (1)
  --cache FOLDER    where histories lie ready for the next run (tributary-bench in the folder for temporary files)
  --write-docs      write the last history's tables into docs/performance.md
  --json            print one JSON value for each history
`;

const HERE = fileURLToPath(new URL('../..', import.meta.url));
/** A period that ends today still contains almost all of its days. */
const HISTORY_MAX_AGE_MS = 86_400_000;

/** The measurements of `npm run bench -- queries`, without printing. */
export type QueriesOptions = {
  readonly against: string | undefined;
  readonly sizes: readonly number[];
  readonly days: number;
  readonly rounds: number;
  readonly seed: number;
  readonly cacheFolder: string;
};

/** Histories of these sizes, one by one. */
export async function* benchQueries(options: QueriesOptions): AsyncGenerator<AskResult> {
  const { against, sizes, seed, cacheFolder } = options;
  const checkouts = [HERE, ...(against === undefined ? [] : [resolve(against)])];
  for (const events of sizes) {
    const endsAt = findEnd(cacheFolder, events, seed);
    const history = { events, seed, endsAt };
    yield askHistory({ ...options, ...history, checkouts, onStep: sayStep });
  }
}

/** When a history ends: the same for all checkouts, and all runs of a day. */
export function findEnd(cacheFolder: string, events: number, seed: number): number {
  const path = join(cacheFolder, `${events}-${seed}.end`);
  mkdirSync(cacheFolder, { recursive: true });
  const endsAt = Number(readOrUndefined(path) ?? 0);
  if (endsAt > Date.now() - HISTORY_MAX_AGE_MS) return endsAt;
  rmSync(path, { force: true });
  writeFileSync(path, `${Date.now()}`);
  return findEnd(cacheFolder, events, seed);
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function sayStep(step: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${step}\n`);
}

/** The options of `queries`, also accepted by `all`. */
export const QUERIES_OPTIONS = {
  against: { type: 'string' },
  events: { type: 'string', default: '2000000' },
  days: { type: 'string', default: '30' },
  rounds: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
  cache: { type: 'string', default: join(tmpdir(), 'tributary-bench') },
} as const;

/** Parses the values of {@link QUERIES_OPTIONS}. */
export function toQueriesOptions(
  values: Readonly<Record<Exclude<keyof typeof QUERIES_OPTIONS, 'against'>, string>> & {
    readonly against?: string | undefined;
  },
): QueriesOptions {
  return {
    against: values.against,
    sizes: values.events.split(',').map(Number),
    days: Number(values.days),
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    cacheFolder: resolve(values.cache),
  };
}

/** The command `npm run bench -- queries`. */
export async function runQueries(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...QUERIES_OPTIONS,
      'write-docs': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  for await (const result of benchQueries(toQueriesOptions(values))) {
    const text = toText(result);
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : text);
    if (values['write-docs']) writeDocs('docs/performance.md', 'queries', toDocsText(result));
  }
}
