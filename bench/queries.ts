import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createReports } from '#report/create-reports.ts';
import { applySchema } from '#warehouse/apply-schema.ts';
import { createWarehouse, type Warehouse } from '#warehouse/client.ts';
import { ATTRIBUTION, DASHBOARD } from './dashboard.ts';
import { makeHistory } from './make-history.ts';
import { measureProcesses } from './measure-processes.ts';
import { REPORTS, type Report } from './reports.ts';

const USAGE = `usage: npm run bench -- queries [options]

  --events LIST   events of each history (2000000); visits, visitors and payments follow
  --days LIST     periods to ask about (30,90)
  --rounds N      how often each question is asked (5)
  --seed N        (1)
  --only NAME     one question of the dashboard
  --attribution   instead of the dashboard's, revenue by source under each attribution model
  --reports       instead of the dashboard's, funnels, journeys, retention, lifetime value and the like
  --keep FOLDER   make the history there once, and use it again
  --json          print one JSON value
`;

/** Noon, so that today is half a day long. */
const NOW = Date.parse('2026-11-21T12:00:00Z');
const SITE = { id: 'site_bench', timezone: 'Europe/Berlin', currency: 'EUR' };

/** The engine looks for merges every few seconds. */
const QUIET_MS = 8_000;
const MERGED_MAX_MS = 120_000;

type Figures = { readonly name: string; readonly days: number; readonly medianMs: number };
/** All questions at once, as a dashboard asks them: when the last was answered. */
type Together = Omit<Figures, 'name'>;

/** The questions of a dashboard over histories of any size, made inside the engine. */
export async function runQueries(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '2000000' },
      days: { type: 'string', default: '30,90' },
      rounds: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      attribution: { type: 'boolean', default: false },
      reports: { type: 'boolean', default: false },
      keep: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const questions = Object.entries(toAsk(values)).filter(
    ([name]) => values.only === undefined || values.only === name,
  );
  const sizes = values.events.split(',').map(Number);
  for (const events of sizes) {
    const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'tributary-bench-'));
    const result = await askHistory(sizes.length > 1 ? join(folder, `${events}`) : folder, {
      ...{ events, seed: Number(values.seed), rounds: Number(values.rounds) },
      ...{ days: values.days.split(',').map(Number), questions },
      isAtOnce: !values.reports && !values.attribution,
    });
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : toText(result));
    if (values.keep === undefined) rmSync(folder, { recursive: true });
  }
}

type Asked = {
  readonly events: number;
  readonly seed: number;
  readonly rounds: number;
  readonly days: readonly number[];
  readonly questions: readonly (readonly [name: string, ask: Report])[];
  /** A dashboard's questions come at once; nobody asks for all reports, and those at the end would wait too long. */
  readonly isAtOnce: boolean;
};

/** Makes the history in `folder`, unless it is there, and asks each question so many times. */
async function askHistory(folder: string, asked: Asked) {
  mkdirSync(folder, { recursive: true });
  const engine = await startBenchEngine(folder);
  const warehouse = createWarehouse({ kind: 'embedded', socketPath: join(folder, 'engine.sock') });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, measureProcesses([engine.pid ?? 0]).residentMb);
  }, 200);
  try {
    await applySchema(warehouse);
    const made = await makeUnlessThere(warehouse, asked);
    const settleStartedAt = performance.now();
    const settledInMs = Math.round(performance.now() - settleStartedAt);
    await untilMerged(warehouse);
    const all = createReports({
      warehouse: {
        select: (statement) => warehouse.select(statement, { isReport: true }),
        selectFile: (statement, format) => warehouse.selectFile(statement, format),
      },
      now: () => NOW,
    });
    const figures: Figures[] = [];
    const together: Together[] = [];
    for (const days of asked.days) {
      const asks = asked.questions.map(([name, toAnswer]) => {
        const ask = async () => {
          const answer = await toAnswer(all, SITE, days);
          if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
        };
        return [name, ask] as const;
      });
      for (const [name, medianMs] of await mediansOf(asks, asked.rounds)) {
        figures.push({ name, days, medianMs });
      }
      if (!asked.isAtOnce) continue;
      const atOnce = () => Promise.all(asks.map(([, ask]) => ask()));
      const [whole] = await mediansOf([['at once', atOnce]], asked.rounds);
      together.push({ days, medianMs: whole?.[1] ?? 0 });
    }
    return { ...made, settledInMs, figures, together, peakMb: Math.round(peakMb) };
  } finally {
    clearInterval(watch);
    await warehouse.close();
    engine.kill('SIGTERM');
    await once(engine, 'exit');
  }
}

/** A history made within a minute lies in more parts than one that came in ninety days. */
async function untilMerged(warehouse: Warehouse): Promise<void> {
  const endsAt = performance.now() + MERGED_MAX_MS;
  let quietSince = performance.now();
  while (performance.now() - quietSince < QUIET_MS && performance.now() < endsAt) {
    const [row] = await warehouse.select<{ n: string }>({
      sql: 'SELECT count() AS n FROM system.merges',
    });
    if (row?.n !== '0') quietSince = performance.now();
    await sleep(200);
  }
}

async function makeUnlessThere(warehouse: Warehouse, { events, seed }: Asked) {
  const [held] = await warehouse.select<{ n: string }>({ sql: 'SELECT count() AS n FROM events' });
  return Number(held?.n) > 0
    ? { events: Number(held?.n), perSecond: 0 }
    : makeHistory(warehouse, { siteId: SITE.id, events, seed, endsAt: NOW });
}

/** The questions that are wanted, by name. */
function toAsk(wanted: {
  readonly attribution: boolean;
  readonly reports: boolean;
}): Readonly<Record<string, Report>> {
  if (wanted.reports) return REPORTS;
  const queries = Object.entries(wanted.attribution ? ATTRIBUTION : DASHBOARD);
  return Object.fromEntries(
    queries.map(([name, toQuery]): [string, Report] => [
      name,
      ({ report }, site, days) => report.answer(site, { site_id: site.id, ...toQuery(days, NOW) }),
    ]),
  );
}

async function startBenchEngine(folder: string) {
  const main = fileURLToPath(new URL('../src/warehouse/engine-child.ts', import.meta.url));
  const engine = fork(main, [join(folder, 'warehouse'), join(folder, 'engine.sock')], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '12' },
  });
  await once(engine, 'message');
  return engine;
}

/**
 * How long each takes, in the middle of its rounds; the first, which fills caches, does not count.
 *
 * Why one after the other in each round: a slow second of the machine is one round of several questions.
 */
async function mediansOf(
  works: readonly (readonly [name: string, work: () => Promise<unknown>])[],
  rounds: number,
): Promise<[name: string, medianMs: number][]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, [, work]] of works.entries()) {
      const startedAt = performance.now();
      await work();
      if (round > 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  const middle = (of: readonly number[]) =>
    of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;
  return works.map(([name], index) => [name, middle(times[index] ?? [])]);
}

function toText(result: {
  readonly events: number;
  readonly perSecond: number;
  readonly figures: readonly Figures[];
  readonly together: readonly Together[];
  readonly peakMb: number;
}): string {
  const days = [...new Set(result.figures.map((figure) => figure.days))];
  const names = [...new Set(result.figures.map((figure) => figure.name))];
  const of = (name: string, day: number) =>
    result.figures.find((figure) => figure.name === name && figure.days === day)?.medianMs ?? 0;
  const rows = names.map(
    (name) => `| ${name} | ${days.map((day) => `${of(name, day).toFixed(0)} ms`).join(' | ')} |\n`,
  );
  const sums = days.map((day) => names.reduce((sum, name) => sum + of(name, day), 0));
  const cells = (ms: readonly number[]) => ms.map((each) => `${each.toFixed(0)} ms`).join(' | ');
  const atOnce = cells(result.together.map(({ medianMs }) => medianMs));
  return `${result.events.toLocaleString('en')} events, ${result.perSecond === 0 ? 'made before' : `made at ${result.perSecond.toLocaleString('en')} a second`}; the engine at most ${result.peakMb} MB resident.

| median of | ${days.map((day) => `${day} days`).join(' | ')} |
|---|${days.map(() => '---|').join('')}
${rows.join('')}| all, one after the other | ${cells(sums)} |
${atOnce === '' ? '' : `| all at once | ${atOnce} |\n`}`;
}
