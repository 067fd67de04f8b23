import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults } from './find-faults.ts';
import { DEMO, OWNER, openSignedIn } from './open-dashboard.ts';
import { type SharedDashboard, shareDashboard } from './share-dashboard.ts';

describe('the mails of a dashboard', () => {
  let dashboard: SharedDashboard;

  before(async () => {
    dashboard = await shareDashboard();
  });
  after(() => dashboard?.close());

  const nextMail = async (matches: RegExp) => {
    const mails = await waitUntil(
      async () => dashboard.post.mails.filter((mail) => matches.test(mail)),
      (found) => found.length > 0,
    );
    return mails[0] ?? '';
  };

  it('bring a link to who forgot a password', async () => {
    const { url: baseURL } = dashboard.server;
    const guest = await (await dashboard.browser.newContext({ baseURL })).newPage();
    await guest.goto('/sign-in');
    await guest.getByRole('link', { name: 'Forgot password?' }).click();
    await guest.getByLabel('E-mail').fill(OWNER.email);
    assert.deepEqual(await findFaults(guest), []);
    await guest.getByRole('button', { name: 'Send the link' }).click();
    await guest.getByRole('heading', { name: 'Check your mail' }).waitFor();
    const mail = await nextMail(/Set a new password/);
    const link = `/reset${/#[\w-]{43}/.exec(mail)?.[0]}`;
    await guest.goto(link);
    await guest.getByLabel('New password').fill(OWNER.password);
    await guest.getByRole('button', { name: 'Set password' }).click();
    await guest.getByRole('heading', { name: 'The password is set' }).waitFor();
    // No password is asked for in vain: neither by a link that was used, nor by an incomplete one.
    for (const dead of [link, '/reset']) {
      const other = await guest.context().newPage(); // No history keeps a token for it.
      await other.goto(dead);
      await other.getByRole('heading', { name: 'This link does not work' }).waitFor();
    }
  });

  it('bring an invitation, and its owner is told so', async () => {
    const owner = await openSignedIn(dashboard.browser, dashboard.server);
    await owner.goto(`/${DEMO}/settings/people`);
    await owner.getByLabel('E-mail').fill('grace@tea.example');
    await owner.getByRole('button', { name: 'Invite' }).click();
    await owner.getByText('A mail with this link is on its way to grace@tea.example.').waitFor();
    const link = await owner.getByRole('region', { name: 'The invitation' }).innerText();
    const mail = await nextMail(/grace@tea\.example/);
    assert.ok(mail.replace(/=\r?\n/g, '').includes(new URL(link.trim()).hash));
  });

  it('prove a new address, which the account shows until then', async () => {
    const owner = await openSignedIn(dashboard.browser, dashboard.server);
    const change = async (email: string) => {
      await owner.getByLabel('New address').fill(email);
      await owner.getByLabel('Password of this login').fill(OWNER.password);
      await owner.getByRole('button', { name: 'Change address' }).click();
      await owner.getByText(`To change that to ${email}`).waitFor();
      const mail = await nextMail(new RegExp(`To: ${email}\\r?\\nSubject: Confirm`));
      return `/email${/#[\w-]{43}/.exec(mail)?.[0]}`;
    };
    await owner.goto('/account');
    const link = await change('ada@lovelace.example');
    assert.equal(await owner.getByLabel('New address').inputValue(), '');
    assert.deepEqual(await findFaults(owner), []);
    const { url: baseURL } = dashboard.server;
    const guest = await (await dashboard.browser.newContext({ baseURL })).newPage();
    await guest.goto(link);
    await guest.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.ok(!guest.url().includes(link.slice(-43)), 'no log sees the token');
    await guest.getByLabel('E-mail').fill(OWNER.email);
    await guest.getByLabel('Password').fill(OWNER.password);
    await guest.getByRole('button', { name: 'Sign in' }).click();
    await guest.getByRole('heading', { name: 'Confirm your new address' }).waitFor();
    assert.deepEqual(await findFaults(guest), []);
    await guest.getByRole('button', { name: 'Confirm' }).click();
    await guest.locator('b', { hasText: 'ada@lovelace.example' }).waitFor();
    await nextMail(/Your address was changed/);
    await guest.goto(link);
    await guest.getByRole('button', { name: 'Confirm' }).click();
    await guest.getByText('This link is not valid').waitFor();
    await owner.goto('/account');
    await owner.goto(await change(OWNER.email)); // As other files know it.
    await owner.getByRole('button', { name: 'Confirm' }).click();
    await owner.locator('b', { hasText: OWNER.email }).waitFor();
    for (const each of [owner, guest]) await each.context().close();
  });
});
