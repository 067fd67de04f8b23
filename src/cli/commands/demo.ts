import { type Command, InvalidArgumentError } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import { countNoun } from '#domain/count-noun.ts';
import { DEMO_DOMAIN, DEMO_KEY, isDemoUnfinished } from '#domain/site/demo.ts';
import type { KeyScope } from '#domain/site/scope.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { endWithParent } from '#warehouse/engine/end-with-parent.ts';
import { awaitFigures } from '../demo/await-figures.ts';
import { imagineVisitor, type Story } from '../demo/imagine-visitor.ts';
import { createDemoPeriod } from '../demo/period.ts';
import { sendStories } from '../demo/send-stories.ts';
import { createDemoTally } from '../demo/tally.ts';
import { CURRENCY, TIMEZONE } from '../demo/tea-shop.ts';
import { type AnswerOptions, jsonCommand, writeAnswer } from '../io/answer.ts';
import { createProgress } from '../io/create-progress.ts';
import { toWhole } from '../io/option-values.ts';
import { findServer } from '../stores/find-server.ts';
import { withLedger } from '../stores/with-ledger.ts';

type DemoOptions = AnswerOptions & {
  readonly days: number;
  readonly visitors: number;
  readonly seed: number;
  readonly until?: number;
};

/** Longer than any visit, so that no visit of the demo reaches into the future. */
const BEFORE_NOW_MS = HOUR_MS;

const SCOPES: readonly KeyScope[] = ['events:write', 'payments:write', 'stats:read'];

/** `tributary demo`: adds a site with a realistic shop, through the public endpoints. */
export function demoCommand(): Command {
  return jsonCommand(
    'demo',
    'add a demo site: a realistic shop with visits, goals, payments and refunds',
  )
    .option('--days <count>', 'days of history before the last one', toWhole(1, 730), 90)
    .option('--until <date>', 'the last day, whole, in UTC; by default, it ends an hour ago', toEnd)
    .option('--visitors <count>', 'number of visitors', toWhole(1, 10_000_000), 20_000)
    .option('--seed <number>', 'each seed gives a different history', toWhole(0, 2 ** 48), 1)
    .action(async (options: DemoOptions) => {
      endWithParent(); // If a server started this command, it may be killed.
      process.channel?.unref(); // An open channel must not keep this process alive.
      const site = await addDemo(options);
      writeAnswer(options, site, describe(site));
    });
}

async function addDemo({ days, visitors, seed, until }: DemoOptions) {
  const { siteId, keyId, key } = await openSite();
  const period = createDemoPeriod(until ?? Date.now() - BEFORE_NOW_MS, days);
  const tally = createDemoTally();
  const showProgress = createProgress(visitors, 'visitors');
  function* stories(): Generator<Story> {
    for (let number = 0; number < visitors; number++) {
      const story = imagineVisitor(seed, number, period);
      tally.add(story);
      yield story;
      showProgress(number + 1);
    }
  }
  const server = await findServer();
  const demo = { url: server.url, key };
  try {
    await sendStories(stories(), demo);
    await awaitFigures(tally.total(), demo);
  } finally {
    await server.end();
  }
  await withLedger((ledger) => ledger.revokeKey(keyId));
  return {
    site_id: siteId,
    domain: DEMO_DOMAIN,
    from: toDay(period.startsAt),
    until: toDay(period.endsAt - 1),
    ...tally.total(),
  };
}

function openSite() {
  return withLedger(async (ledger) => {
    const before = ledger.findSite(DEMO_DOMAIN);
    if (before !== undefined) {
      const isUnfinished = isDemoUnfinished(await ledger.listKeys(before.id));
      const state = isUnfinished
        ? 'is incomplete: filling it was interrupted, or is still under way'
        : 'exists';
      const removal = `run "${PROGRAM} site remove ${DEMO_DOMAIN}" first`;
      throw new Error(`The demo ${state}. To replace it, ${removal}.`);
    }
    const wanted = { domain: DEMO_DOMAIN, timezone: TIMEZONE, currency: CURRENCY };
    const site = await ledger.addSite(wanted);
    if (!site.ok) throw new Error(site.error.message);
    const siteId = site.value.id;
    const expiresAt = Date.now() + DAY_MS;
    const created = await ledger.createKey({ siteId, name: DEMO_KEY, scopes: SCOPES, expiresAt });
    return { siteId, keyId: created.id, key: created.key };
  });
}

function describe(demo: Awaited<ReturnType<typeof addDemo>>): string {
  const { visitors, visits, pageviews, goals, payments, renewals, trials } = demo;
  return `
Added ${demo.domain}, with data from ${demo.from} to ${demo.until}:

  ${countNoun(visitors, 'visitor')}, ${countNoun(visits, 'visit')}, ${countNoun(pageviews, 'pageview')}, ${countNoun(goals, 'goal')}
  ${countNoun(payments, 'payment')}, including ${countNoun(renewals, 'renewal')} and ${countNoun(trials, 'trial')}
  ${demo.revenue.value} ${CURRENCY} of revenue after ${demo.refunds.value} ${CURRENCY} of refunds

To query it, create a key:  ${PROGRAM} key create --site ${demo.domain}
To remove it:               ${PROGRAM} site remove ${demo.domain}`;
}

/** The end of a day that is over. */
function toEnd(text: string): number {
  const startsAt = Date.parse(text);
  const isDay = !Number.isNaN(startsAt) && toDay(startsAt) === text; // February has no 30th day.
  if (isDay && startsAt + DAY_MS <= Date.now()) return startsAt + DAY_MS;
  throw new InvalidArgumentError('Must be a day that is over, such as 2026-11-24.');
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
