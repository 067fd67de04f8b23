import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addCaller } from '../../server/caller.ts';
import { findFaults } from './find-faults.ts';
import { type ProviderDashboard, shareProviderDashboard } from './share-dashboard.ts';
import { findCut } from './steps/find-cut.ts';

const SITE = 'tea.example';
const GUEST = {
  name: 'Grace <i>Hopper</i>',
  email: 'hopper@tea.example',
  password: 'nanoseconds of wire',
};
/** The guest's new password. */
const NEXT_PASSWORD = 'thirty centimetres of wire';

describe('the logins of a dashboard', () => {
  let dashboard: ProviderDashboard;
  let owner: Page;
  let guest: Page;
  let invitation = '';

  before(async () => {
    dashboard = await shareProviderDashboard();
    owner = dashboard.page;
    const { url: baseURL, dataDir } = dashboard.server;
    const caller = await addCaller(baseURL, dataDir, SITE);
    assert.equal((await caller.pageview(randomUUID())).status, 200);
    guest = await (await dashboard.browser.newContext({ baseURL, locale: 'en-GB' })).newPage();
  });
  after(() => dashboard?.close());

  it('are made by an invitation that is copied', async () => {
    await owner.goto(`/${SITE}/settings/people`);
    await owner.getByLabel('E-mail').fill(GUEST.email);
    await owner.getByRole('button', { name: 'Invite' }).click();
    invitation = await owner.getByRole('region', { name: 'The invitation' }).innerText();
    assert.equal(await owner.getByLabel('E-mail').inputValue(), '', 'ready for the next one');
    assert.deepEqual(await findFaults(owner), []);
  });

  it('take who is invited to the site, as what they were invited', async () => {
    await guest.goto(`/invite${new URL(invitation.trim()).hash}`);
    await guest.getByLabel('Your name').fill(GUEST.name);
    await guest.getByLabel('Password').fill(GUEST.password);
    assert.deepEqual(await findFaults(guest), []);
    await guest.getByRole('button', { name: 'Join' }).click();
    await guest.waitForURL(`**/${SITE}`);
    await guest.getByRole('button', { name: /^Visitors \d/ }).waitFor();
    await guest.goto(`/${SITE}/settings/health`);
    await guest.getByRole('heading', { name: 'Health' }).waitFor();
    assert.equal(await guest.getByRole('link', { name: 'API keys' }).count(), 0);
  });

  it('show the owner who came, as text', async () => {
    await owner.reload();
    await owner.getByText(GUEST.name).first().waitFor();
    assert.equal(await owner.locator('main i').count(), 0);
  });

  it('are listed on a phone, with the way to end them', async () => {
    await guest.setViewportSize({ width: 360, height: 740 });
    await guest.goto('/account');
    await guest.getByText('This browser', { exact: true }).waitFor();
    assert.deepEqual(await findCut(guest.locator('main section, main table')), []);
    await guest.setViewportSize({ width: 1_440, height: 900 });
  });

  it('keep their address where no mail can prove another, and show the command that changes it', async () => {
    await guest.getByLabel('New address').fill('hopper@example.com');
    await guest.getByLabel('Password of this login').fill(GUEST.password);
    await guest.getByRole('button', { name: 'Change address' }).click();
    await guest.getByText('npm run tributary -- member email').waitFor();
    assert.deepEqual(await findFaults(guest), []);
  });

  it('end everywhere else when the password changes', async () => {
    await guest.goto('/account');
    const elsewhere = await dashboard.browser.newContext({ baseURL: dashboard.server.url });
    const { email, password } = GUEST;
    const headers = { origin: dashboard.server.url };
    const data = { email, password };
    await elsewhere.request.post('/api/auth/sign-in/email', { data, headers });
    assert.equal((await elsewhere.request.get('/api/v1/me')).status(), 200);
    const change = guest.getByRole('button', { name: 'Change password' });
    await guest.getByLabel('Current password').fill('another password');
    await guest.getByLabel('New password').fill(NEXT_PASSWORD);
    await change.click();
    await guest.getByText('Current password is wrong.').waitFor();
    await guest.getByLabel('Current password').fill(password);
    await change.click();
    await guest.getByText('You are signed out everywhere else').waitFor();
    assert.equal(await guest.getByLabel('New password').inputValue(), '');
    assert.equal((await elsewhere.request.get('/api/v1/me')).status(), 401);
  });

  it('ask for a second step where it is set up', async () => {
    await guest.goto('/account');
    await guest.getByLabel('Your password').fill(NEXT_PASSWORD);
    await guest.getByRole('button', { name: 'Set up' }).click();
    const secret = await guest.getByRole('region', { name: 'Secret' }).innerText();
    assert.deepEqual(await findFaults(guest), []);
    await guest.getByLabel('Code from the app').fill(codeOf(secret.trim()));
    await guest.getByRole('button', { name: 'Turn on' }).click();
    await guest.getByText('It is on').waitFor();
    assert.equal(await guest.getByText('This browser', { exact: true }).count(), 1);
    const codes = await guest.getByRole('region', { name: 'Recovery codes' }).innerText();
    const lookOf = (name: string) =>
      guest.getByRole('button', { name, exact: true }).getAttribute('class');
    assert.notEqual(
      await lookOf('Turn off'),
      await lookOf('Change password'),
      'turning it off is not the main action',
    );

    await guest.context().clearCookies();
    await guest.goto('/sign-in');
    await guest.getByLabel('E-mail').fill(GUEST.email);
    await guest.getByLabel('Password').fill(NEXT_PASSWORD);
    await guest.getByRole('button', { name: 'Sign in' }).click();
    await guest.getByLabel('Code from your authenticator app').fill('000000');
    await guest.getByRole('button', { name: 'Continue' }).click();
    await guest.getByText('Code from your authenticator app is wrong or has expired.').waitFor();
    await guest.getByRole('button', { name: 'Use a recovery code' }).click();
    await guest.getByLabel('Recovery code').fill(codes.trim().split('\n')[0] ?? '');
    await guest.getByRole('button', { name: 'Continue' }).click();
    await guest.getByRole('heading', { name: 'Sites' }).waitFor();

    await guest.goto('/account');
    await guest.getByRole('button', { name: 'New recovery codes' }).click();
    await guest.getByLabel('Your password').first().fill(NEXT_PASSWORD);
    await guest.getByRole('button', { name: 'Make new codes' }).click();
    const others = await guest.getByRole('region', { name: 'Recovery codes' }).innerText();
    assert.equal(others.trim().split('\n').length, 10);
    assert.notEqual(others, codes);
    assert.deepEqual(await findFaults(guest), []);
  });
});

/** The current code. Source: RFC 6238, with SHA-1, six digits and 30 seconds. */
function codeOf(secret: string): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
