import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Accounts, openAccounts } from '#accounts/open-accounts.ts';
import type { QueryAnswer } from '#contract/query.ts';
import { keepNotifying, type Notifier } from '#notify/keep-notifying.ts';
import type { Mail } from '#notify/mailer.ts';
import type { CountedNews } from '#report/live/count-news.ts';

const SITE = { id: 'site_tea', domain: 'tea.example', timezone: 'UTC', currency: 'EUR' };
const MORNING = Date.parse('2026-11-16T09:00Z');

/** How many goals or payments there are in a window. */
type Count = (wanted: CountedNews, after: number, until: number) => number;

/** Real people and alerts; answers as a site has them, and a mailer that keeps what it gets. */
describe('alerts of one’s own', () => {
  let folder: string;
  let accounts: Accounts;
  let now: number;
  let mails: Mail[];
  let failures: string[];
  let isDown: boolean;
  let visitors: number;
  let before: number;
  let counted: Count;
  let notifier: Notifier;
  let userId: string;

  beforeEach(async () => {
    now = MORNING;
    folder = mkdtempSync(join(tmpdir(), 'tributary-own-alerts-'));
    const location = join(folder, 'accounts.sqlite');
    accounts = await openAccounts({
      ...{ location, baseUrl: undefined, now: () => now },
      passwordCost: { N: 2, r: 1, p: 1 },
    });
    const login = { name: 'Ada', email: 'ada@tea.example', password: 'a kettle and two cups' };
    assert.ok((await accounts.start((await accounts.makeStartLink()) ?? '', login)).ok);
    userId = (await accounts.findUserId(login.email)) ?? '';
    mails = [];
    failures = [];
    isDown = false;
    visitors = 100;
    before = 100;
    counted = () => 0;
    notifier = start();
  });
  afterEach(async () => {
    await notifier.stop();
    await accounts.close();
    rmSync(folder, { recursive: true });
  });

  /** A notifier as the next start of the server has it. */
  const start = () =>
    keepNotifying({
      ...{ notices: accounts.notices, alerts: accounts.alerts },
      isMember: async (id, siteId) => (await accounts.members.findRole(id, siteId)) !== undefined,
      listSites: async () => [SITE],
      mailer: {
        async send(mail) {
          if (isDown) throw new Error('no mail server');
          mails.push(mail);
        },
      },
      baseUrl: 'https://figures.example',
      async countNews(_site, wanted, { after, until }) {
        const count = counted(wanted, after, until);
        return { count, minor: BigInt(count) * 4_900n };
      },
      async ask(_site, query) {
        const toMetrics = (own: number) =>
          query.metrics.map((name) =>
            name === 'revenue' ? { value: '100.00', currency: 'EUR' } : own,
          );
        const row = { metrics: toMetrics(visitors), comparison: { metrics: toMetrics(before) } };
        return { results: [row] } as unknown as QueryAnswer;
      },
      findDrops: async () => ({ counts: [] }),
      now: () => now,
      onFailure: (reason) => failures.push(reason),
    });

  /** Subjects of the mails since the last call, after a look as many minutes later. */
  const lookIn = async (minutes: number) => {
    now += minutes * 60_000;
    const known = mails.length;
    await notifier.look();
    return mails.slice(known).map(({ subject }) => subject);
  };
  const alertMe = async (...rules: object[]) => {
    await notifier.subscribe(SITE, userId, { summary: 'off', hasAlerts: true });
    await accounts.notices.setRules(SITE.id, {
      kinds: [],
      webhookUrl: undefined,
      isTrusted: false,
    });
    await accounts.alerts.setOwn(
      SITE.id,
      rules.map((rule) => JSON.stringify(rule)),
    );
  };
  /** Instants of goals, which are counted in a window as the warehouse does. */
  const happenedAt =
    (instants: readonly number[]): Count =>
    (_, after, until) =>
      instants.filter((at) => at > after && at <= until).length;

  it('report a goal as it happens, and a flood of it in one message', async () => {
    await alertMe({ when: 'goal', goal: 'signup' });
    const began = now;
    const instants: number[] = [];
    counted = happenedAt(instants);
    assert.deepEqual(await lookIn(1), []);
    instants.push(began + 30_000);
    assert.deepEqual(await lookIn(1), ['Goal signup on tea.example']);
    instants.push(...Array.from({ length: 500 }, (_, at) => began + 120_000 + at));
    for (let minute = 0; minute < 14; minute++) assert.deepEqual(await lookIn(1), []);
    assert.deepEqual(await lookIn(1), ['Goal signup 500 times on tea.example']);
    assert.deepEqual(await lookIn(60), []);
  });

  it('report a payment from an amount up, and several with their sum', async () => {
    await alertMe({ when: 'payment', amount: 49.99 });
    const asked: unknown[] = [];
    counted = (wanted) => asked.push(wanted) && 1;
    assert.deepEqual(await lookIn(1), ['Payment of €49.00 on tea.example']);
    assert.deepEqual(asked, [{ fromMinor: 4_999n }]);
    counted = () => 3;
    assert.deepEqual(await lookIn(15), ['3 payments of €147.00 on tea.example']);
  });

  it('are neither lost nor repeated by a restart', async () => {
    await alertMe({ when: 'goal', goal: 'signup' });
    const instants = [now + 1_000];
    counted = happenedAt(instants);
    isDown = true;
    assert.deepEqual(await lookIn(1), []);
    await notifier.stop();
    isDown = false;
    notifier = start();
    assert.deepEqual(await lookIn(1), ['Goal signup on tea.example'], 'what waited is sent');
    await notifier.stop();
    notifier = start();
    instants.push(now);
    assert.deepEqual(await lookIn(20), ['Goal signup on tea.example'], 'only what is new');
    assert.match(mails.at(-1)?.messageId ?? '', /^<[\w-]{36}@figures\.example>$/);
  });

  it('wait for a mail server, longer each time, and are given up after two days', async () => {
    await alertMe({ when: 'goal', goal: 'signup' });
    counted = happenedAt([now + 1_000]);
    isDown = true;
    for (let hours = 0; hours < 50; hours += 0.25) await lookIn(15);
    assert.ok(failures.length > 40 && failures.length < 70, `${failures.length} tries`);
    isDown = false;
    assert.deepEqual(await lookIn(120), []);
  });

  it('reach only those who still want them when they are sent', async () => {
    await alertMe({ when: 'goal', goal: 'signup' });
    counted = happenedAt([now + 1_000]);
    isDown = true;
    await lookIn(1);
    await notifier.subscribe(SITE, userId, { summary: 'off', hasAlerts: false });
    isDown = false;
    assert.deepEqual(await lookIn(5), []);
    counted = happenedAt([now + 1_000]);
    await lookIn(16);
    await notifier.subscribe(SITE, userId, { summary: 'off', hasAlerts: true });
    assert.deepEqual(await lookIn(16), [], 'nor later of what nobody wanted to know');
  });

  it('report a missing goal once, and again after it was reached in between', async () => {
    await alertMe({ when: 'no_goal', goal: 'signup', hours: 6 });
    const instants = [now];
    counted = happenedAt(instants);
    const silence = ['No goal signup for 6 hours on tea.example'];
    assert.deepEqual(await lookIn(5 * 60), [], 'it is not as old as that');
    assert.deepEqual(await lookIn(90), silence);
    assert.deepEqual(await lookIn(6 * 60), []);
    instants.push(now + 1);
    assert.deepEqual(await lookIn(60), []);
    assert.deepEqual(await lookIn(6 * 60), silence);
  });

  it('compare each day from the one under way with a threshold, once', async () => {
    await alertMe(
      { when: 'below', metric: 'visitors', value: 50 },
      { when: 'above', metric: 'revenue', value: 99.99 },
      { when: 'above', metric: 'revenue', value: 100 },
    );
    visitors = 49;
    assert.deepEqual(await lookIn(31), []);
    const both = [
      'Revenue €100.00 yesterday on tea.example',
      'Visitors 49 yesterday on tea.example',
    ];
    assert.deepEqual((await lookIn(24 * 60)).toSorted(), both);
    assert.match(
      mails.at(-1)?.text ?? '',
      /Your alert: (Daily visitors below 50|Daily revenue above €99\.99)\./,
    );
    assert.deepEqual(await lookIn(60), []);
    assert.deepEqual((await lookIn(24 * 60)).toSorted(), both);
    visitors = 50;
    assert.deepEqual(await lookIn(24 * 60), [both[0]]);
  });

  it('report a change from the week before, where there was something', async () => {
    await alertMe({ when: 'changed', metric: 'visitors', percent: 61 });
    before = 100;
    visitors = 38;
    await lookIn(31);
    assert.deepEqual(await lookIn(24 * 60), ['Visitors −62% yesterday on tea.example']);
    visitors = 39;
    assert.deepEqual(await lookIn(24 * 60), []);
    before = 0;
    assert.deepEqual(await lookIn(24 * 60), []);
  });
});
