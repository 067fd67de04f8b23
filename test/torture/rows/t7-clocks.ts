import { globSync } from 'node:fs';
import { createChance } from '#cli/demo/chance.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { makeDataDir, runCli, startServer } from '../../server/start-server.ts';
import { type ReferenceQuery, reportBySource } from '../../worlds/reference-report.ts';
import { type LateWorld, planLateWorld } from '../late-worlds.ts';
import { untilShipped } from '../recount.ts';
import { createChecks, type Row, type RowPlan, type RowReport } from '../row.ts';

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];
const SPARE_ENGINE = new URL('../faults/spare-engine-faketime.ts', import.meta.url).href;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];

/** The server's clock in the first and second half of a group of worlds. */
const CLOCKS: readonly (readonly [first: number, second: number])[] = [
  [0, 365 * DAY_MS],
  [-365 * DAY_MS, 0],
  // The hour that occurs twice in Berlin, and the one that is skipped.
  [
    Date.parse('2026-10-25T00:30:00Z') - Date.now(),
    Date.parse('2026-10-25T02:00:00Z') - Date.now(),
  ],
  [
    Date.parse('2027-03-28T00:50:00Z') - Date.now(),
    Date.parse('2027-03-28T02:00:00Z') - Date.now(),
  ],
];

/** T7: everything out of order and late, with jumping clocks. */
export const clocks: Row = {
  id: 'T7',
  title:
    'out of order, up to 30 days late; clocks ±1 year and on DST days; clients skewed by ±48 h',
  unit: 'worlds',
  quick: 20,
  full: 200,
  findObstacle: () => (LIBRARY === undefined ? 'faketime is not installed' : undefined),
  async run(plan) {
    const checks = createChecks();
    const figures = { worlds: 0, requests: 0, refused: 0, 'answers compared': 0, different: 0 };
    const differences: string[] = [];
    const each = Math.ceil(plan.amount / CLOCKS.length);
    for (const [group, clock] of CLOCKS.entries()) {
      const worlds = Math.min(each, plan.amount - group * each);
      if (worlds > 0)
        await runGroup({ ...plan, amount: worlds }, group, clock, figures, differences);
      plan.log(`group ${group + 1} of ${CLOCKS.length}: ${figures.different} answers differ`);
    }
    checks.equal('every request is accepted', figures.refused, 0);
    checks.equal('every answer is the reference model’s', differences.slice(0, 2).join(' | '), '');
    return { numbers: figures, checks: checks.all } satisfies RowReport;
  },
};

type Figures = Record<'worlds' | 'requests' | 'refused' | 'answers compared' | 'different', number>;

async function runGroup(
  { seed, amount }: RowPlan,
  group: number,
  [first, second]: readonly [number, number],
  figures: Figures,
  differences: string[],
): Promise<void> {
  const dataDir = makeDataDir();
  const worlds: LateWorld[] = [];
  const endsAt = Date.now() + Math.min(first, second);
  for (let index = 0; index < amount; index++) {
    const chance = createChance(seed, group * 1_000 + index);
    const site = `world-${index}.example`;
    const timezone = ZONES[(group + index) % ZONES.length] ?? 'UTC';
    await runCli(['site', 'add', site, '--currency', 'EUR', '--timezone', timezone], dataDir);
    const { key } = await runCli<{ key: string }>(['key', 'create', '--site', site], dataDir);
    worlds.push(planLateWorld({ chance, site, key, endsAt }));
  }
  const shared = { dataDir, figures };
  await underClock(first, shared, (url) => send(worlds, url, 'first', first, figures));
  const found = await underClock(second, shared, async (url) => {
    await send(worlds, url, 'second', second, figures);
    await untilShipped({ dataDir } as Parameters<typeof untilShipped>[0]);
    const answers: string[] = [];
    for (const world of worlds) answers.push(...(await compare(world, url, endsAt, figures)));
    return answers;
  });
  figures.worlds += amount;
  differences.push(...found);
}

async function underClock<T>(
  offsetMs: number,
  { dataDir }: { readonly dataDir: string },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const env = {
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME: `${offsetMs < 0 ? '-' : '+'}${Math.abs(Math.round(offsetMs / 1_000))}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NODE_OPTIONS: `--import=${SPARE_ENGINE}`,
    RATE_LIMIT_READS: '0',
  };
  const server = await startServer({ dataDir, env });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function send(
  worlds: readonly LateWorld[],
  url: string,
  half: 'first' | 'second',
  clockMs: number,
  figures: Figures,
): Promise<void> {
  for (const world of worlds) {
    for (const request of world.requestsOf(half, () => Date.now() + clockMs)) {
      const answer = await fetch(url + request.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...request.headers },
        body: request.body,
      });
      const text = await answer.text();
      figures.requests += 1;
      if (answer.status !== 200 || text.includes('"reason"')) figures.refused += 1;
    }
  }
}

/** Answers that differ from the reference model, for several periods and models. */
async function compare(
  { site, key, facts, chance }: LateWorld,
  url: string,
  endsAt: number,
  figures: Figures,
): Promise<string[]> {
  const differences: string[] = [];
  for (const model of ['first_touch', 'last_touch'] as const) {
    const startsAt = endsAt - chance.whole(1, 31) * DAY_MS;
    const query: ReferenceQuery = {
      ...{ startsAt, endsAt: startsAt + chance.whole(1, 31) * DAY_MS, model },
      lookbackDays: chance.isTrue(0.5) ? null : 10,
    };
    const expected = toLines(reportBySource(facts, query));
    const found = await askServer(url, site, key, query);
    figures['answers compared'] += 1;
    if (found === expected) continue;
    figures.different += 1;
    differences.push(`${site} ${JSON.stringify(query)}: ${found} instead of ${expected}`);
  }
  return differences;
}

function toLines(rows: ReturnType<typeof reportBySource>): string {
  return [...rows]
    .map(([source, row]) => {
      const { visitors, visits, pageviews, conversions, payments, revenueMinor } = row;
      const revenue = (Number(revenueMinor) / 100).toFixed(2);
      return [source, visitors, visits, pageviews, conversions, payments, revenue].join(' ');
    })
    .toSorted()
    .join('; ');
}

async function askServer(
  url: string,
  site: string,
  key: string,
  { startsAt, endsAt, model, lookbackDays }: ReferenceQuery,
): Promise<string> {
  const answer = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      site_id: site,
      metrics: ['visitors', 'visits', 'pageviews', 'conversions', 'payments', 'revenue'],
      dimensions: ['visit:source'],
      date_range: [new Date(startsAt).toISOString(), new Date(endsAt).toISOString()],
      attribution: { model, lookback_days: lookbackDays },
    }),
  });
  const text = await answer.text();
  if (!answer.ok) return text;
  const { results } = JSON.parse(text) as Answered;
  const value = (metric: Metric) => (typeof metric === 'object' ? metric?.value : metric);
  return results
    .map(({ dimensions, metrics }) => [...dimensions, ...metrics.map(value)].join(' '))
    .toSorted()
    .join('; ');
}

type Metric = number | null | { readonly value: string };
type Answered = {
  readonly results: readonly { readonly dimensions: string[]; readonly metrics: Metric[] }[];
};
