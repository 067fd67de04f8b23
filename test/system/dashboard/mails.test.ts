import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults } from './find-faults.ts';
import { OWNER } from './open-dashboard.ts';
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
    await guest.goto(`/reset${/#[\w-]{43}/.exec(mail)?.[0]}`);
    await guest.getByLabel('New password').fill(OWNER.password);
    await guest.getByRole('button', { name: 'Set password' }).click();
    await guest.getByRole('heading', { name: 'The password is set' }).waitFor();
  });
});
