import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Accounts } from '#accounts/open-accounts.ts';
import { COMMAND_LINE } from '#domain/account/audit.ts';
import type { User } from '#domain/account/user.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';

/** Where accounts are, empty when first opened, and again as the next start of the program finds them. */
export type PlaceOfAccounts = {
  open(): Promise<Accounts>;
  remove?(): void;
};

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse battery' };
const BEN = { name: 'Ben', email: 'ben@example.com', password: 'another good one' };
const MANY = 16;
const SITE = 'site_1';

/** What the rest of the program requires of all accounts: something of every member. */
export function describeAccounts(
  name: string,
  makePlace: (now: () => number) => Promise<PlaceOfAccounts>,
): void {
  describe(name, () => {
    let place: PlaceOfAccounts;
    let accounts: Accounts;
    let now: number;
    let anna: User;
    let cookie: string;
    let ben: string;
    before(async () => {
      now = Date.now();
      place = await makePlace(() => now);
      accounts = await open();
    });
    after(() => place.remove?.());
    const asked = new Set<string>();
    const open = async () => noteAsked(await place.open(), asked);

    const ask = async (path: string, body: object | undefined, cookies = '') => {
      const request = new Request(`${accounts.origin}/api/auth/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...{ 'content-type': 'application/json', origin: accounts.origin, cookie: cookies },
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = await accounts.handleLogin(request);
      const set = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
      return { status: answer.status, body: (await answer.json()) as Said, cookie: set.join('; ') };
    };
    const signIn = ({ email, password }: { email: string; password: string }) =>
      ask('sign-in/email', { email, password });
    const atOnce = <T>(work: (at: number) => Promise<T>) =>
      Promise.all(Array.from({ length: MANY }, (_, at) => work(at)));
    const whats = async (siteId?: string) =>
      (await accounts.audit.list(siteId, 100)).map(({ what, about }) => `${what}: ${about}`);

    it('make an owner by one link, once, although many use it at once', async () => {
      assert.equal(await accounts.hasOwner(), false);
      const old = (await accounts.makeStartLink()) ?? '';
      assert.equal(await accounts.isLinkOpen('start', old), true);
      assert.equal(await accounts.isLinkOpen('reset', old), false);
      now += HOUR_MS;
      assert.equal(await accounts.isLinkOpen('start', old), false);
      assert.equal((await accounts.start(old, ANNA)).ok, false);
      const [one = '', two = ''] = [await accounts.makeStartLink(), await accounts.makeStartLink()];
      const weak = await accounts.start(one, { ...ANNA, password: 'short' });
      assert.equal(weak.ok ? '' : weak.error.field, 'password');
      const made = await Promise.all([one, two, one].map((each) => accounts.start(each, ANNA)));
      assert.equal(made.filter(({ ok }) => ok).length, 1);
      assert.equal(await accounts.hasOwner(), true);
      assert.equal(await accounts.makeStartLink(), undefined);
      assert.equal(await accounts.isLinkOpen('start', two), false);
      assert.match((await accounts.findUserId(' Anna@Example.com')) ?? '', /^user_/);
    });

    it('sign in with a password, and find the user by the cookie until it ends', async () => {
      assert.equal((await signIn({ ...ANNA, password: 'a wrong password' })).status, 401);
      assert.equal((await signIn({ ...ANNA, email: 'nobody@example.com' })).status, 401);
      const signedIn = await signIn(ANNA);
      assert.deepEqual([signedIn.status, signedIn.body.user?.email], [200, ANNA.email]);
      cookie = signedIn.cookie;
      const found = await accounts.findUser(cookie);
      assert.ok(found);
      anna = found;
      const { id, sessionId, ...rest } = anna;
      assert.deepEqual([id, sessionId !== ''], [await accounts.findUserId(ANNA.email), true]);
      assert.equal(await accounts.findEmail(id), ANNA.email);
      assert.equal(await accounts.findEmail('user_9'), undefined);
      assert.deepEqual(rest, {
        ...{ name: 'Anna', email: ANNA.email, isProved: true, isOwner: true },
        ...{ twoFactor: false, isSessionDue: false },
      });
      now += 2 * DAY_MS;
      assert.equal((await accounts.findUser(cookie))?.isSessionDue, true);
      now += 30 * DAY_MS;
      assert.equal(await accounts.findUser(cookie), undefined);
      now -= 32 * DAY_MS;
      assert.equal(await accounts.findUser('tributary.session_token=x.y'), undefined);
      assert.equal(await accounts.findUser(undefined), undefined);
      assert.equal((await ask('get-session', undefined, cookie)).body.user?.emailVerified, true);
    });

    it('are the same after a restart', async () => {
      await accounts.close();
      accounts = await open();
      assert.deepEqual(await accounts.findUser(cookie), anna);
      assert.equal(await accounts.hasOwner(), true);
    });

    it('invite people, whose first of two links at once makes the login', async () => {
      const { invite, find, list, withdraw, accept } = accounts.invitations;
      const first = await invite({ email: BEN.email, siteId: SITE, role: 'viewer' });
      const { token, proof } = await invite({ email: BEN.email, siteId: SITE, role: 'admin' });
      assert.equal(await find(first.token), undefined);
      const facts = { email: BEN.email, siteId: SITE, role: 'admin', hasLogin: false };
      const { email, siteId, role, hasLogin } = (await find(token)) ?? {};
      assert.deepEqual({ email, siteId, role, hasLogin }, facts);
      assert.deepEqual(
        (await list(SITE)).map((each) => each.role),
        ['admin'],
      );
      const other = await invite({ email: BEN.email, siteId: 'site_2', role: 'viewer' });
      const who = { user: undefined, name: BEN.name, password: BEN.password };
      const joined = await Promise.all(
        [proof, token, other.token].map((each) => accept(each, who)),
      );
      assert.equal(joined.filter((each) => each.ok && each.value?.isNew).length, 1);
      ben = (await accounts.findUserId(BEN.email)) ?? '';
      const cleo = { email: 'cleo@example.com', siteId: SITE, role: 'viewer' } as const;
      await invite(cleo);
      const [open] = (await list(SITE)).filter((each) => each.email === cleo.email);
      assert.equal(await withdraw('site_2', open?.id ?? ''), false);
      assert.equal(await withdraw(SITE, open?.id ?? ''), true);
      assert.equal(await withdraw(SITE, open?.id ?? ''), false);
    });

    it('give roles on sites, and take them', async () => {
      const { members } = accounts;
      await members.setRole(ben, SITE, 'viewer');
      await members.setRole(ben, SITE, 'admin');
      assert.equal(await members.findRole(ben, SITE), 'admin');
      assert.equal(await members.findRole(ben, 'site_9'), undefined);
      assert.equal(await accounts.findRole(anna, 'site_9'), 'owner');
      assert.deepEqual(await members.list(SITE), [
        {
          ...{ userId: anna.id, name: 'Anna', email: ANNA.email, role: 'owner' },
          ...{ isOwner: true, twoFactor: false },
        },
        {
          ...{ userId: ben, name: 'Ben', email: BEN.email, role: 'admin' },
          ...{ isOwner: false, twoFactor: false },
        },
      ]);
      await members.setRole(ben, 'site_3', 'viewer');
      const mine = { userId: ben, content: { name: 'Mine' } };
      await accounts.saved.add('site_3', 'segment', mine);
      const mails = { summary: 'weekly', hasAlerts: true } as const;
      await accounts.notices.subscribe(ben, 'site_3', mails, '2026-11-01');
      assert.equal(await members.remove(ben, 'site_3'), true);
      assert.equal(await members.remove(ben, 'site_3'), false);
      assert.deepEqual(await accounts.saved.list('site_3', 'segment', ben), []);
      assert.equal(await accounts.notices.findSubscriber(ben, 'site_3'), undefined);
    });

    it('set a password by a reset link, which ends what was open before', async () => {
      assert.equal(await accounts.makeResetLink('nobody@example.com'), undefined);
      const old = await signIn(BEN);
      const token = (await accounts.makeResetLink(BEN.email, { dropsSecondFactor: true })) ?? '';
      const password = 'a third good one';
      assert.equal(await accounts.isLinkOpen('reset', token), true);
      const resets = await Promise.all([1, 2].map(() => accounts.reset(token, password)));
      assert.deepEqual(resets.map(({ ok }) => ok).toSorted(), [false, true]);
      assert.equal(await accounts.isLinkOpen('reset', token), false);
      assert.equal(await accounts.findUser(old.cookie), undefined);
      assert.equal((await signIn(BEN)).status, 401);
      assert.equal((await signIn({ ...BEN, password })).status, 200);
      assert.deepEqual((await whats()).slice(0, 2), [
        `two-factor authentication turned off by a reset link: ${BEN.email}`,
        `password set by a reset link: ${BEN.email}`,
      ]);
    });

    it('change a name at once, and an address when it is proved', async () => {
      const renamed = await accounts.change(anna, { name: 'Anna B.' });
      assert.deepEqual(renamed.ok && renamed.value, { name: 'Anna B.', email: ANNA.email });
      const email = 'anna@new.example';
      const wrong = await accounts.change(anna, { email, password: 'a wrong password' });
      assert.equal(wrong.ok ? '' : wrong.error.field, 'password');
      const taken = { email: BEN.email, password: ANNA.password };
      assert.equal((await accounts.change(anna, taken)).ok, false);
      const asked = await accounts.change(anna, { email, password: ANNA.password });
      const token = asked.ok ? (asked.value.token ?? '') : '';
      assert.equal(await accounts.findAskedEmail(anna.id), email);
      assert.equal(await accounts.findAskedEmail(anna.id, 'x'), undefined);
      assert.equal(await accounts.findAskedEmail(anna.id, token), email);
      now += HOUR_MS;
      assert.equal(await accounts.findAskedEmail(anna.id), undefined);
      now -= HOUR_MS;
      assert.equal((await accounts.setEmail(anna, BEN.email)).ok, false);
      assert.equal((await accounts.setEmail(anna, 'x')).ok, false);
      assert.deepEqual(await accounts.setEmail(anna, email), { ok: true, value: email });
      assert.equal(await accounts.findAskedEmail(anna.id), undefined);
      assert.equal((await accounts.setEmail({ ...anna, email }, ANNA.email)).ok, true);
      assert.equal((await whats())[0], `e-mail address changed: ${email} → ${ANNA.email}`);
    });

    it('keep the audit log short, although many are noted at once', async () => {
      await atOnce((at) => accounts.audit.noteFailure(`${at}@example.com`));
      await atOnce(() => accounts.audit.noteFailure(BEN.email));
      const failures = (await accounts.audit.list(undefined, 100)).filter(
        ({ what }) => what === 'sign-in failed',
      );
      assert.deepEqual(
        failures.map(({ who, about }) => [who, about]),
        [
          [BEN.email, `${MANY} times`],
          ['an address without a login', `${MANY} times`],
        ],
      );
      const change = { siteId: SITE, what: 'segment added' };
      const who = { id: ben, email: BEN.email };
      for (let made = 0; made < 25; made++) {
        await accounts.audit.note(who, { ...change, about: `${made}` });
      }
      assert.equal((await whats(SITE))[0], 'segment added, and more: 5 times');
      assert.equal((await whats(SITE))[1], 'segment added: 19');
      await accounts.audit.note(COMMAND_LINE, { siteId: '', what: 'command run', about: 'demo' });
      assert.ok(!(await whats(SITE)).includes('command run: demo'));
      const [newest] = await accounts.audit.list(undefined, 1);
      assert.deepEqual(
        { ...newest },
        {
          ...{ at: now, siteId: '', userId: '', who: 'command line' },
          ...{ what: 'command run', about: 'demo' },
        },
      );
    });

    it('save shared items and own ones', async () => {
      const { saved } = accounts;
      const shared = await saved.add(SITE, 'segment', {
        userId: undefined,
        content: { name: 'All', filters: [['is', 'x', ['ä']]] },
      });
      now += 1;
      const mine = await saved.add(SITE, 'segment', { userId: ben, content: { name: 'Mine' } });
      assert.deepEqual(await saved.list(SITE, 'segment', ben), [shared, mine]);
      assert.deepEqual(await saved.list(SITE, 'segment'), [shared]);
      assert.deepEqual(await saved.list(SITE, 'funnel', ben), []);
      await saved.set({ id: mine.id, userId: undefined, content: { name: 'Ours' } });
      const [, changed] = await saved.list(SITE, 'segment');
      assert.deepEqual(changed, { ...mine, userId: undefined, content: { name: 'Ours' } });
      await saved.remove(shared.id);
      assert.equal((await saved.list(SITE, 'segment')).length, 1);
      await saved.removeAll(SITE);
      assert.deepEqual(await saved.list(SITE, 'segment', ben), []);
    });

    it('share links, with a password or without', async () => {
      const { shares } = accounts;
      const facts = {
        ...{ siteId: SITE, name: 'Investors', panels: ['figures'], hasRevenue: true },
        ...{ filters: [['is', 'visit:country', ['DE']]], createdBy: ANNA.email },
      };
      const weak = await shares.make({ ...facts, password: 'short' });
      assert.equal(weak.ok, false);
      const made = await shares.make({ ...facts, password: 'open this link' });
      assert.ok(made.ok);
      const share = made.value;
      assert.deepEqual(await shares.list(SITE), [share]);
      assert.deepEqual(await shares.find(share.token), { share, isOpen: false });
      assert.equal(await shares.open(share, 'another word'), undefined);
      const { credential = '' } = (await shares.open(share, 'open this link')) ?? {};
      assert.equal((await shares.find(credential))?.isOpen, true);
      now += 13 * HOUR_MS;
      assert.equal((await shares.find(credential))?.isOpen, false);
      await shares.noteUse(share);
      const [used] = await shares.list(SITE);
      assert.equal(used?.lastUsedAt, now);
      now += 1_000;
      if (used !== undefined) await shares.noteUse(used);
      assert.equal((await shares.list(SITE))[0]?.lastUsedAt, now - 1_000);
      assert.equal(await shares.find('x'), undefined);
      assert.equal(await shares.remove('site_2', share.id), false);
      assert.equal(await shares.remove(SITE, share.id), true);
      assert.deepEqual(await shares.list(SITE), []);
    });

    it('keep subscriptions, rules and open alerts', async () => {
      const { notices } = accounts;
      assert.deepEqual(await notices.find(ben, SITE), { summary: 'off', hasAlerts: false });
      await notices.subscribe(ben, SITE, { summary: 'weekly', hasAlerts: false }, '2026-11-01');
      await notices.subscribe(ben, SITE, { summary: 'weekly', hasAlerts: true }, '2026-11-08');
      const found = await notices.findSubscriber(ben, SITE);
      assert.ok(found);
      assert.deepEqual(found, {
        ...{ userId: ben, siteId: SITE, email: BEN.email, summary: 'weekly', hasAlerts: true },
        ...{ token: found.token, sentUntil: '2026-11-01' },
      });
      await notices.noteSent(found, '2026-11-15');
      assert.deepEqual(await notices.listSubscribers(SITE), [
        { ...found, sentUntil: '2026-11-15' },
      ]);
      await notices.subscribe(ben, SITE, { summary: 'monthly', hasAlerts: true }, '2026-10-31');
      assert.equal((await notices.findSubscriber(ben, SITE))?.sentUntil, '2026-10-31');
      assert.equal(await notices.unsubscribe('x'), false);
      assert.equal(await notices.unsubscribe(found.token), true);
      assert.deepEqual(await notices.listSubscribers(SITE), []);

      const usual = await notices.findRules(SITE);
      assert.deepEqual(
        [usual.kinds.length, usual.webhookUrl, usual.isTrusted],
        [4, undefined, false],
      );
      const rules = { kinds: ['traffic'], webhookUrl: 'https://hooks.example', isTrusted: true };
      await notices.setRules(SITE, { ...rules, isTrusted: false });
      await notices.setRules(SITE, rules);
      assert.deepEqual(await notices.findRules(SITE), rules);
      const message = { siteId: SITE, recipients: [ben, ''], content: '{}' };
      await accounts.alerts.raise(SITE, { kind: 'traffic', since: 1 }, message);
      await accounts.alerts.raise(SITE, { kind: 'traffic', since: 2 }, message);
      await accounts.alerts.raise(SITE, { kind: 'revenue', since: 3 }, message);
      assert.deepEqual(await notices.listOpen(SITE), [
        { kind: 'revenue', since: 3 },
        { kind: 'traffic', since: 1 },
      ]);
      await notices.close(SITE, 'revenue');
      assert.equal((await notices.listOpen(SITE)).length, 1);
      const due = await accounts.alerts.takeDue(100);
      assert.equal(due.length, 4, 'each recipient gets one message for an open alert');
      await notices.removeAll(SITE);
      assert.deepEqual(await notices.listOpen(SITE), []);
      now += HOUR_MS;
      assert.deepEqual(await accounts.alerts.takeDue(100), []);
      assert.equal((await notices.findRules(SITE)).webhookUrl, undefined);
      assert.equal(await notices.findSubscriber(ben, SITE), undefined);
    });

    it('keep alerts of one’s own, and their messages until they are delivered', async () => {
      const { alerts } = accounts;
      await alerts.setOwn(SITE, ['{"when":"goal"}', '{"when":"payment"}']);
      await alerts.setOwn('site_2', ['{"when":"goal"}']);
      const [goal] = await alerts.listOwn(SITE);
      assert.ok(goal);
      const rule = '{"when":"goal"}';
      assert.deepEqual(goal, { siteId: SITE, rule, seenUntil: now, told: '', toldAt: 0 });
      const after = { ...goal, seenUntil: now + 1, told: 'x', toldAt: now };
      const message = { siteId: SITE, recipients: [ben, ''], content: '{"title":"Goal"}' };
      await atOnce(() => alerts.move(goal, after, message)); // As servers that share a database do.
      await accounts.close();
      accounts = await open();
      assert.deepEqual((await accounts.alerts.listOwn(SITE))[0], after);
      const taken = (await atOnce(() => accounts.alerts.takeDue(10))).flat();
      const [mail, ...others] = taken.toSorted((a, b) => (a.userId < b.userId ? 1 : -1));
      assert.deepEqual([mail?.userId, others.map(({ userId }) => userId)], [ben, ['']]);
      await accounts.alerts.finish(mail?.id ?? '');
      now += 60_000;
      const again = await accounts.alerts.takeDue(10);
      assert.deepEqual(
        again.map(({ id }) => id),
        others.map(({ id }) => id),
      );
      now += 60_000;
      assert.deepEqual(await accounts.alerts.takeDue(10), [], 'each try waits longer');
      await accounts.alerts.setOwn(SITE, ['{"when":"payment"}', rule, '{"when":"new"}']);
      const kept = await accounts.alerts.listOwn(SITE);
      assert.deepEqual(
        kept.find((each) => each.rule === rule),
        after,
        'it goes on where it is',
      );
      assert.equal(kept.length, 3);
      await accounts.alerts.setOwn(SITE, []);
      assert.deepEqual(
        (await accounts.alerts.listOwn()).map(({ siteId }) => siteId),
        ['site_2'],
      );
      await accounts.notices.removeAll(SITE);
      await accounts.notices.removeAll('site_2');
    });

    it('ask for a second factor, each of whose codes opens one session', async () => {
      now = Date.now();
      const { password } = ANNA;
      const session = await signIn(ANNA);
      const { body } = await ask('two-factor/enable', { password }, session.cookie);
      const secret = new URL(body.totpURI).searchParams.get('secret') ?? '';
      const [, , recovery = ''] = body.backupCodes;
      const verify = (path: string, code: string, cookies: string) =>
        ask(`two-factor/${path}`, { code }, cookies);
      const code = toCode(secret, Date.now());
      const isOn = await verify('verify-totp', code, session.cookie);
      assert.equal(isOn.status, 200);
      const [member] = await accounts.members.list(SITE);
      assert.equal(member?.twoFactor, true);

      const challenge = await signIn(ANNA);
      assert.equal(await accounts.findUser(challenge.cookie), undefined);
      assert.equal(await accounts.findChallenged(challenge.cookie), ANNA.email);
      assert.equal(await accounts.findChallenged(undefined), undefined);
      assert.equal((await verify('verify-totp', code, challenge.cookie)).status, 401);
      const challenges = [await signIn(ANNA), await signIn(ANNA)];
      const answers = await Promise.all(
        challenges.map((each) => verify('verify-backup-code', recovery, each.cookie)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      const token = (await accounts.makeResetLink(ANNA.email, { dropsSecondFactor: true })) ?? '';
      assert.equal((await accounts.reset(token, password)).ok, true);
      assert.equal((await signIn(ANNA)).body.user?.email, ANNA.email);
    });

    it('change a password with a session, which ends the others', async () => {
      const [session, other] = [await signIn(ANNA), await signIn(ANNA)];
      const change = { currentPassword: ANNA.password, newPassword: 'a fourth good one' };
      const body = { ...change, revokeOtherSessions: true };
      const changed = await ask('change-password', body, session.cookie);
      assert.equal(changed.status, 200);
      assert.equal(await accounts.findUser(other.cookie), undefined);
      assert.equal((await accounts.findUser(changed.cookie))?.id, anna.id);
      assert.equal((await ask('sign-out', {}, changed.cookie)).status, 200);
      assert.equal(await accounts.findUser(changed.cookie), undefined);
    });

    it('count tries, and know browsers, without asking the database', () => {
      const attempt = { account: 'a', network: '1', isShared: false };
      for (let tries = 0; tries < 5; tries++) assert.equal(accounts.signInLimit.take(attempt), 0);
      assert.ok(accounts.signInLimit.take(attempt) > 0);
      accounts.signInLimit.succeeded(attempt);
      assert.equal(accounts.signInLimit.take(attempt), 0);
      assert.equal(accounts.takeMail('a@example.com', 'b'), 0);
      const [known] = accounts.knownBrowsers.remember(ANNA.email).split(';');
      assert.equal(accounts.knownBrowsers.isKnown(known, ANNA.email), true);
      assert.equal(accounts.knownBrowsers.isKnown(known, BEN.email), false);
    });

    it('remove a user with everything that is theirs, but not the owner', async () => {
      await accounts.members.setRole(ben, SITE, 'viewer');
      await accounts.saved.add(SITE, 'segment', { userId: ben, content: { name: 'Mine' } });
      const session = await signIn({ ...BEN, password: 'a third good one' });
      assert.equal((await accounts.findUser(session.cookie))?.id, ben);
      assert.equal(await accounts.removeUser(ANNA.email), false);
      assert.equal(await accounts.removeUser(BEN.email), true);
      assert.equal(await accounts.removeUser(BEN.email), false);
      assert.equal(await accounts.findUser(session.cookie), undefined);
      assert.equal(await accounts.members.findRole(ben, SITE), undefined);
      assert.deepEqual(await accounts.saved.list(SITE, 'segment', ben), []);
    });

    it('have no member that nothing here asks', async () => {
      await accounts.close();
      const own = await place.open();
      await own.close();
      const all = membersOf(own);
      assert.deepEqual(
        all.filter((member) => !asked.has(member)),
        [],
      );
    });
  });
}

/** Notes which members of accounts are asked, by their names such as `members.list`. */
function noteAsked<T extends object>(whole: T, asked: Set<string>, path = ''): T {
  return new Proxy(whole, {
    get(_, name) {
      const part: unknown = Reflect.get(whole, name);
      const own = `${path}${String(name)}`;
      asked.add(own);
      const isPart = typeof part === 'object' && part !== null;
      return isPart ? noteAsked(part, asked, `${own}.`) : part;
    },
  });
}

function membersOf(whole: object, path = ''): string[] {
  return Object.entries(whole).flatMap(([name, part]) =>
    typeof part === 'object' ? membersOf(part, `${path}${name}.`) : [`${path}${name}`],
  );
}

/** What better-auth says, as far as it is read here. */
type Said = {
  readonly user?: { readonly email: string; readonly emailVerified: boolean };
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
};

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of an authenticator app. Source: RFC 6238, RFC 4226. */
function toCode(secret: string, at: number): string {
  const bits = [...secret]
    .map((each) => BASE32.indexOf(each).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const start = (digest.at(-1) ?? 0) & 0xf;
  return `${(digest.readUInt32BE(start) & 0x7fffffff) % 1_000_000}`.padStart(6, '0');
}
