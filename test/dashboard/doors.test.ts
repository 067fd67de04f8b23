import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '@testing-library/dom';
import { type Answers, refuse } from './api/fake-api.ts';
import { answerQuery } from './api/figures.ts';
import type { AnswerOf } from './api/routes.ts';
import { ME } from './api/world.ts';
import { type OpenPage, openPage } from './browser/open-page.ts';

const SIGNED_OUT = { 'GET /api/v1/me': refuse('unauthorized', 'Sign in.') } as const;
const DONE = { status: 'success' } as const;
const PASSWORD = 'a kettle and two cups';

/** A server without an owner, where one link works. */
const LINKS = {
  'GET /api/sign-in-options': { mail: true, oidc: null, has_owner: false },
  'POST /api/links': ({ body }) => ({ works: body.token === 'token' }),
} as const satisfies Answers;

/** Fills in a form by its labels and sends it. */
async function send({ user, screen }: OpenPage, button: string, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) {
    await user.type(await screen.findByLabelText(label), value);
  }
  await user.click(await screen.findByRole('button', { name: button }));
}

describe('signing in', () => {
  it('leads back to where the session had ended, or says why not', async (t) => {
    const page = await openPage(t, '/tea.example?period=7d', {
      ...SIGNED_OUT,
      'POST /api/auth/:what/:how': refuse('unauthorized', 'Invalid email or password'),
    });
    await page.reaches('/sign-in?next=%2Ftea.example%3Fperiod%3D7d');
    await send(page, 'Sign in', { 'E-mail': 'ada@tea.example', Password: 'no tea' });
    await page.screen.findByRole('alert');
    page.api.answer({ 'POST /api/auth/:what/:how': {}, 'GET /api/v1/me': ME });
    await send(page, 'Sign in', {});
    await page.reaches('/tea.example?period=7d');
  });

  it('needs no second sign-in, and leads to no other site', async (t) => {
    const { open, reaches } = await openPage(t, '/');
    for (const [next, target] of [
      ['/tea.example/settings/people', '/tea.example/settings/people'],
      ['/\t/evil.example', '/'],
      ['/\u2028/evil', '/'],
      ['/tea.example/\u2029', '/'],
    ] as const) {
      open(`/sign-in?next=${encodeURIComponent(next)}`);
      await reaches(target);
    }
  });

  it('follows a form of a page that was signed out elsewhere', async (t) => {
    const page = await openPage(t, '/account');
    await page.screen.findByLabelText('Your name');
    page.api.answer({ ...SIGNED_OUT, 'PATCH /api/v1/me': refuse('unauthorized', 'Sign in.') });
    await send(page, 'Save', { 'Your name': ' B.' });
    await page.reaches('/sign-in?next=%2Faccount');
  });

  it('shows the command for a new password if the server sends no mail', async (t) => {
    const { screen, reaches } = await openPage(t, '/forgotten', {
      ...SIGNED_OUT,
      'GET /api/sign-in-options': { mail: false, oidc: null, has_owner: true },
    });
    await reaches('/sign-in');
    await screen.findByText(/admin link --email you@example\.com/);
  });

  it('is for nobody while the server has no owner', async (t) => {
    const { screen } = await openPage(t, '/sign-in', {
      ...SIGNED_OUT,
      'GET /api/sign-in-options': { mail: false, oidc: null, has_owner: false },
    });
    await screen.findByRole('heading', { name: 'This server has no owner yet' });
    await screen.findByText(/admin link/);
    assert.ok(screen.queryByLabelText('Password') === null);
  });

  it('is offered at the identity provider, if there is one', async (t) => {
    const { screen } = await openPage(t, '/sign-in', {
      ...SIGNED_OUT,
      'GET /api/sign-in-options': { mail: false, oidc: 'Tea Login', has_owner: true },
    });
    await screen.findByRole('button', { name: /Tea Login/ });
  });
});

describe('links', () => {
  it('make the first login, and say when they are used up', async (t) => {
    const page = await openPage(t, '/start#token', {
      ...{ ...SIGNED_OUT, ...LINKS, 'POST /api/start': DONE },
    });
    await page.screen.findByRole('heading', { name: 'Welcome' });
    page.api.answer({ 'GET /api/v1/me': { ...ME, sites: [] } });
    const login = { 'Your name': 'Ada', 'E-mail': 'ada@tea.example', Password: PASSWORD };
    await send(page, 'Create login', login);
    await page.screen.findByRole('heading', { name: 'Your first site' });
    assert.equal(page.api.calls('POST /api/start').at(-1)?.body.password, PASSWORD);
    assert.equal(location.hash, '');
    page.open('/start#bogus');
    await page.screen.findByRole('heading', { name: 'This link does not work' });
    page.api.answer({ 'GET /api/sign-in-options': { mail: true, oidc: null, has_owner: true } });
    page.open();
    await page.screen.findByRole('heading', { name: 'An owner already exists' });
  });

  it('of invitations take somebody to their site, and no second time', async (t) => {
    const page = await openPage(t, '/invite#token', {
      'POST /api/invitations/find': {
        ...{ email: 'vera@tea.example', role: 'viewer', domain: 'tea.example', has_login: false },
      },
      'POST /api/invitations/accept': { status: 'success', domain: 'tea.example' },
    });
    await page.screen.findByText('vera@tea.example is invited as viewer.');
    await send(page, 'Join', { 'Your name': 'Vera', Password: PASSWORD });
    await page.reaches('/tea.example');
    page.api.answer({ 'POST /api/invitations/find': refuse('invalid_request', 'It is over.') });
    page.open('/invite#token');
    await page.screen.findByRole('heading', { name: 'This invitation does not work' });
  });

  it('for a new password are sent by mail, and set it once', async (t) => {
    const page = await openPage(t, '/forgotten', {
      ...SIGNED_OUT,
      'POST /api/reset/request': DONE,
      ...{ ...LINKS, 'POST /api/reset': DONE },
    });
    await page.user.type(await page.screen.findByLabelText('E-mail'), 'ada@tea.example{Enter}');
    await page.screen.findByRole('heading', { name: 'Check your mail' });
    page.open('/reset#bogus');
    await page.screen.findByRole('heading', { name: 'This link does not work' });
    page.open('/reset#token');
    await page.user.type(await page.screen.findByLabelText('New password'), `${PASSWORD}{Enter}`);
    await page.screen.findByRole('heading', { name: 'The password is set' });
  });

  it('for a new address are confirmed by who is signed in', async (t) => {
    const page = await openPage(t, '/email#token', { 'POST /api/v1/me/email': DONE });
    await send(page, 'Confirm', {});
    await page.reaches('/account');
    assert.deepEqual(page.api.calls('POST /api/v1/me/email')[0]?.body, { token: 'token' });
  });

  it('that end mails ask first', async (t) => {
    const page = await openPage(t, '/unsubscribe/token', { 'POST /unsubscribe/:token': DONE });
    await page.screen.findByRole('heading', { name: 'Unsubscribe?' });
    assert.deepEqual(page.api.calls('POST /unsubscribe/:token'), []);
    await send(page, 'Unsubscribe', {});
    await page.screen.findByRole('heading', { name: 'Unsubscribed' });
  });
});

describe('the list of sites', () => {
  it('shows figures of each, and leads there', async (t) => {
    const { user, screen, reaches } = await openPage(t, '/');
    await screen.findByText('€50.00');
    await user.click(screen.getByRole('link', { name: /^tea\.example/ }));
    await reaches('/tea.example');
  });

  it('says when a user may see no site, and why figures fail', async (t) => {
    const { screen, api, open } = await openPage(t, '/', {
      'POST /api/v1/query': refuse('internal', 'The disk is full.'),
    });
    await screen.findByText('The disk is full.');
    api.answer({ 'GET /api/v1/me': { ...ME, user: { ...ME.user, is_owner: false }, sites: [] } });
    open();
    await screen.findByText(/You have no access to any site yet/);
  });
});

describe('the account', () => {
  it('is given another name, and says what is wrong with one', async (t) => {
    const page = await openPage(t, '/account', {
      'PATCH /api/v1/me': refuse('invalid_request', 'x', [
        { path: '/name', message: 'must have 1 to 100 characters' },
      ]),
    });
    const name = await page.screen.findByLabelText('Your name');
    const save = page.screen.getByRole('button', { name: 'Save' });
    await page.user.clear(name);
    await page.user.type(name, ' ');
    await page.user.click(save);
    await page.screen.findByText(/must have 1 to 100 characters/);
    page.api.answer({ 'PATCH /api/v1/me': { name: 'Ada B.', email: ME.user.email } });
    await page.user.type(name, 'Ada B.');
    await page.user.click(save);
    await page.screen.findByText('Saved.');
  });

  const OPENED: AnswerOf<'POST /api/v1/sites/:id/own-visits'> = {
    ...{ id: 'link-1', url: 'https://tea.example/?tributary_own_visits=link-1' },
    ...{ excluded: true, state: 'waiting' },
  };

  it('leaves this browser out of a site once a page of it has answered', async (t) => {
    const opened = t.mock.method(window, 'open', () => null);
    const { api, screen, user, open } = await openPage(t, '/account', {
      'POST /api/v1/sites/:id/own-visits': OPENED,
      'GET /api/v1/sites/:id/own-visits/:link': OPENED,
    });
    const name = { name: 'Leave this browser out of tea.example' };
    await user.click(await screen.findByRole('checkbox', name));
    await screen.findByText(/Waiting for a page of tea\.example/);
    await screen.findByText(OPENED.url);
    assert.equal(opened.mock.calls[0]?.arguments[0], OPENED.url);
    api.answer({ 'GET /api/v1/sites/:id/own-visits/:link': { ...OPENED, state: 'done' } });
    await screen.findByText('This browser is left out now.', {}, { timeout: 5_000 });
    open();
    const kept = await screen.findByRole<HTMLInputElement>('checkbox', name);
    assert.equal(kept.checked, true);
    await user.click(kept);
    assert.deepEqual(api.calls('POST /api/v1/sites/:id/own-visits').at(-1)?.body, {
      excluded: false,
    });
  });

  it('says where a browser cannot be left out by a switch', async (t) => {
    const { screen, user } = await openPage(t, '/account', {
      'POST /api/v1/sites/:id/own-visits': { ...OPENED, state: 'cookieless' },
    });
    await user.click(await screen.findByRole('checkbox', { name: /tea\.example/ }));
    await screen.findByText(/counts this browser without cookies: use the bookmark/);
  });
});

describe('a shared link', () => {
  const shared: AnswerOf<'GET /api/v1/share'> = {
    site: { domain: 'tea.example', name: 'Tea', timezone: 'UTC', currency: 'EUR' },
    ...{ panels: ['figures', 'sources', 'countries'], revenue: false, filters: [] },
  };

  it('shows what was chosen to people without a login, and nothing else', async (t) => {
    const { screen, user, reaches } = await openPage(t, '/share/link-1', {
      ...SIGNED_OUT,
      'GET /api/v1/share': shared,
    });
    await screen.findByRole('button', { name: /^Visitors\s*3/ });
    const google = await screen.findByRole('button', { name: 'Google' });
    assert.equal(document.title, 'Tea · Tributary');
    assert.ok(screen.queryByText(/revenue|€/i) === null);
    assert.ok(screen.queryByRole('link') === null);
    assert.ok(screen.queryByRole('button', { name: 'Campaigns' }) === null);
    await user.click(google);
    await reaches('/share/link-1?f=is,visit:source,Google');
  });

  it('shows revenue where that was chosen', async (t) => {
    const panels = ['figures', 'channels'] as const;
    const { screen } = await openPage(t, '/share/link-1', {
      ...SIGNED_OUT,
      'GET /api/v1/share': { ...shared, panels: [...panels], revenue: true },
    });
    await screen.findByRole('button', { name: /^Revenue\s*€/ });
    await screen.findByRole('columnheader', { name: 'Per visitor' });
  });

  it('asks for its password, refuses a wrong one, and opens again in the same tab', async (t) => {
    const token = 'link-1.opened';
    const page = await openPage(t, '/share/link-1', {
      ...SIGNED_OUT,
      'GET /api/v1/share': ({ headers }) =>
        headers.get('x-share-token') === token ? shared : refuse('unauthorized'),
      'POST /api/v1/share/open': ({ body }) =>
        body.password === PASSWORD
          ? { token, expires_at: '2026-12-01T00:00:00Z' }
          : refuse('unauthorized', 'The password is wrong.'),
    });
    await page.screen.findByRole('heading', { name: 'This link has a password' });
    await send(page, 'Open', { Password: 'tea for two' });
    await page.screen.findByText('The password is wrong.');
    await page.user.clear(page.screen.getByLabelText('Password'));
    await send(page, 'Open', { Password: PASSWORD });
    await page.screen.findByRole('button', { name: /^Visitors\s*3/ });
    page.open();
    await page.screen.findByRole('button', { name: /^Visitors\s*3/ });
  });

  it('is over when it is revoked', async (t) => {
    const { screen } = await openPage(t, '/share/link-1', SIGNED_OUT);
    await screen.findByRole('heading', { name: 'This link is no longer valid' });
  });

  it('leads back from a filter that it does not show', async (t) => {
    const filters = 'f=is,visit:source,Google&f=is,visit:country,DE';
    const page = await openPage(t, `/share/link-1?${filters}`, {
      ...SIGNED_OUT,
      'GET /api/v1/share': { ...shared, panels: ['figures', 'countries'] },
    });
    await page.screen.findByText(/does not allow every filter/);
    await send(page, 'Show the figures without', {});
    await page.screen.findByRole('button', { name: /^Visitors\s*1/ });
    await page.reaches('/share/link-1?f=is,visit:country,DE');
  });

  it('offers no comparison where nothing is compared', async (t) => {
    const { screen } = await openPage(t, '/share/link-1', {
      ...SIGNED_OUT,
      'GET /api/v1/share': { ...shared, panels: ['hours'] },
      'POST /api/v1/query': (call) => answerQuery(call),
    });
    await screen.findByRole('button', { name: /^Period/ });
    await waitFor(() => assert.ok(screen.queryAllByRole('table').length > 0));
    assert.ok(screen.queryByRole('button', { name: /^Comparison/ }) === null);
  });
});
