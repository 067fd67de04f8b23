import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Accounts, openAccounts } from '#accounts/open-accounts.ts';
import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import { keepNotifying, type Notifier } from './keep-notifying.ts';
import type { Mail } from './mailer.ts';

const SITE = { id: 'site_tea', domain: 'tea.example', timezone: 'UTC', currency: 'EUR' };
const MONDAY = Date.parse('2026-11-23T09:00Z');
const WEEK_MS = 7 * 86_400_000;

/** Real people and subscriptions; answers as a site has them, and a mailer that keeps what it gets. */
describe('summaries and alerts', () => {
  let folder: string;
  let accounts: Accounts;
  let now: number;
  let mails: Mail[];
  let failures: string[];
  let isDown: boolean;
  let refused: string | undefined;
  let visitorsOf: (query: SentQuery) => number;
  let notifier: Notifier;
  let userId: string;

  beforeEach(async () => {
    now = MONDAY - WEEK_MS;
    folder = mkdtempSync(join(tmpdir(), 'tributary-notify-'));
    accounts = await openAccounts({
      location: join(folder, 'accounts.sqlite'),
      baseUrl: undefined,
      passwordCost: { N: 2, r: 1, p: 1 },
      now: () => now,
    });
    const login = { name: 'Ada', email: 'ada@tea.example', password: 'a kettle and two cups' };
    assert.ok((await accounts.start((await accounts.makeStartLink()) ?? '', login)).ok);
    userId = (await accounts.findUserId(login.email)) ?? '';
    mails = [];
    failures = [];
    isDown = false;
    refused = undefined;
    visitorsOf = () => 100;
    notifier = keepNotifying({
      ...{ notices: accounts.notices, alerts: accounts.alerts },
      isMember: async (id, siteId) => (await accounts.members.findRole(id, siteId)) !== undefined,
      listSites: async () => [SITE],
      mailer: {
        async send(mail) {
          if (isDown || mail.to === refused) throw new Error('no mail server');
          mails.push(mail);
        },
      },
      baseUrl: 'https://figures.example',
      countNews: async () => ({ count: 0, minor: 0n }),
      ask: async (_site, query) => toAnswer(query, visitorsOf(query)),
      findDrops: async () => ({ counts: [] }),
      now: () => now,
      onFailure: (reason) => failures.push(reason),
    });
  });
  afterEach(async () => {
    notifier.stop();
    await accounts.close();
    rmSync(folder, { recursive: true });
  });

  it('come once for each week, beginning with the one under way', async () => {
    notifier.subscribe(SITE, userId, { summary: 'weekly', hasAlerts: false });
    await notifier.look();
    assert.equal(mails.length, 0, 'the week is not over');
    now = MONDAY;
    await notifier.look();
    await notifier.look();
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [['ada@tea.example', 'Revenue €100.00, Visitors 100 last week on tea.example']],
    );
    now = MONDAY + WEEK_MS;
    await notifier.look();
    assert.equal(mails.length, 2);
  });

  it('wait for a mail server that is away', async () => {
    notifier.subscribe(SITE, userId, { summary: 'weekly', hasAlerts: false });
    now = MONDAY;
    isDown = true;
    await notifier.look();
    assert.deepEqual(failures, ['no mail server']);
    isDown = false;
    await notifier.look();
    assert.equal(mails.length, 0, 'not tried at every look');
    now += 15 * 60_000;
    await notifier.look();
    assert.equal(mails.length, 1);
  });

  it('reach others when one address is refused', async () => {
    const grace = addMember(folder, 'grace@tea.example');
    for (const each of [userId, grace]) {
      notifier.subscribe(SITE, each, { summary: 'weekly', hasAlerts: false });
    }
    refused = 'ada@tea.example';
    now = MONDAY;
    await notifier.look();
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['grace@tea.example'],
    );
  });

  it('still come when something else was changed on the morning they are due', async () => {
    notifier.subscribe(SITE, userId, { summary: 'weekly', hasAlerts: false });
    now = MONDAY;
    notifier.subscribe(SITE, userId, { summary: 'weekly', hasAlerts: true });
    await notifier.look();
    assert.equal(mails.length, 1);
  });

  it('end by the token in the mail, and run no text of visitors as HTML', async () => {
    notifier.subscribe(SITE, userId, { summary: 'weekly', hasAlerts: true });
    now = MONDAY;
    await notifier.look();
    const [{ html = '', headers = {} } = {}] = mails;
    assert.match(html, /&lt;script&gt;alert/);
    assert.doesNotMatch(html, /<script/);
    const [, token = ''] = /unsubscribe\/([\w-]+)>/.exec(headers['List-Unsubscribe'] ?? '') ?? [];
    assert.equal(await accounts.notices.unsubscribe(token), true);
    assert.equal(await accounts.notices.unsubscribe('another'), false);
    now = MONDAY + WEEK_MS;
    await notifier.look();
    assert.equal(mails.length, 1);
  });

  it('raise an alert once, and again when it was over', async () => {
    notifier.subscribe(SITE, userId, { summary: 'off', hasAlerts: true });
    const look = async (value: (query: SentQuery) => number) => {
      visitorsOf = value;
      now += 31 * 60_000;
      await notifier.look();
      return mails.length;
    };
    assert.equal(await look(() => 100), 0);
    const isNow = ({ date_range: range }: SentQuery) =>
      Array.isArray(range) && Date.parse(range[1]) >= now - 60_000;
    const silent = (query: SentQuery) => (isNow(query) && !query.dimensions ? 0 : 100);
    assert.equal(await look(silent), 1);
    assert.match(mails[0]?.text ?? '', /tea\.example has had no visitors for 3 hours/);
    assert.equal(await look(silent), 1);
    assert.equal((await accounts.notices.listOpen(SITE.id))[0]?.kind, 'no_traffic');
    assert.equal(await look(() => 100), 1);
    assert.equal(await look(silent), 2);
  });

  it('report a day far from the same weekday of the weeks before', async () => {
    notifier.subscribe(SITE, userId, { summary: 'off', hasAlerts: true });
    visitorsOf = (query) => (query.dimensions ? 1_000 : 100);
    await notifier.look();
    assert.equal(mails[0]?.subject, 'Visitors +900% yesterday on tea.example');
    assert.match(mails[0]?.text ?? '', /2026-11-15: 1,000\. Usual on that weekday: 100\./);
  });
});

/** Somebody who sees the site, without a sign-in. */
function addMember(folder: string, email: string): string {
  const db = new DatabaseSync(join(folder, 'accounts.sqlite'));
  db.exec(`INSERT INTO "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
    VALUES ('u-2', 'Grace', '${email}', 1, 0, 0)`);
  db.exec(
    `INSERT INTO members (user_id, site_id, role, created_at) VALUES ('u-2', '${SITE.id}', 'viewer', 0)`,
  );
  db.close();
  return 'u-2';
}

/** One row; of days, the last has the value and those before 100. */
function toAnswer(query: SentQuery, value: number): QueryAnswer {
  const toMetrics = (own: number) =>
    query.metrics.map((name) =>
      name.endsWith('revenue') ? { value: '100.00', currency: 'EUR' } : own,
    );
  const [dimension] = query.dimensions ?? [];
  if (dimension !== 'time:day') {
    const name = '<script>alert(1)</script>';
    const row = { dimensions: dimension ? [name] : [], metrics: toMetrics(value) };
    return { results: [row], meta: {}, query } as unknown as QueryAnswer;
  }
  const [from, to] = (query.date_range as [string, string]).map((day) =>
    Temporal.PlainDate.from(day),
  );
  const results = [];
  for (let day = from; day && to && Temporal.PlainDate.compare(day, to) <= 0; ) {
    const isLast = day.equals(to);
    results.push({ dimensions: [`${day}`], metrics: toMetrics(isLast ? value : 100) });
    day = day.add({ days: 1 });
  }
  return { results, meta: {}, query } as unknown as QueryAnswer;
}
