import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '@testing-library/dom';
import type { SiteAnswer } from '#contract/sites/site.ts';
import type { Answers } from './api/fake-api.ts';
import { KEY, NOTICES, SHARE, SITE, VIEWER } from './api/settings.ts';
import { ME, TEA } from './api/world.ts';
import { type OpenPage, openPage } from './browser/open-page.ts';

const PATH = '/tea.example/settings';

/** A site that is changed as the API changes it. */
function changeable(): Answers {
  let site: SiteAnswer = SITE;
  return {
    'GET /api/v1/me': () => ({ ...ME, sites: [{ ...TEA, domain: site.domain }] }),
    'GET /api/v1/sites/:id': () => site,
    'PATCH /api/v1/sites/:id': ({ body: { settings, ...change } }) => {
      site = { ...site, ...change, settings: { ...site.settings, ...settings } };
      return site;
    },
    'POST /api/v1/sites/:id/identity-secret': () => {
      site = { ...site, has_identity_secret: true };
      return { identity_secret: 'secret of tea' };
    },
  };
}

const click = async ({ user, screen }: OpenPage, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));

async function fill({ user, screen }: OpenPage, label: string, text: string) {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  if (text !== '') await user.type(field, text);
}

const lastChange = ({ api }: OpenPage) => api.calls('PATCH /api/v1/sites/:id').at(-1)?.body;

describe('the settings of a site', () => {
  it('give the focus to a link that was made, and to what is beside one that was revoked', async (t) => {
    let shares = [SHARE];
    const page = await openPage(t, `${PATH}/sharing`, {
      'GET /api/v1/sites/:id/shares': () => ({ shares }),
      'POST /api/v1/sites/:id/shares': ({ body: { name } }) => {
        const made = { ...SHARE, id: 'share_2', name };
        shares = [...shares, made];
        return made;
      },
      'DELETE /api/v1/sites/:id/shares/:share': () => {
        shares = shares.slice(1);
        return { removed: true };
      },
    });
    await fill(page, 'Name', 'Agency');
    await click(page, 'Create link');
    const focused = () => document.activeElement as HTMLInputElement;
    await waitFor(() => assert.match(focused().textContent, /^Agency/));
    for (const [name, next] of [
      ['Investors', /^Agency/],
      ['Agency', /^name$/],
    ] as const) {
      const [revoke] = await page.screen.findAllByRole('button', { name: 'Revoke' });
      revoke?.focus();
      await page.user.keyboard('{Enter}');
      await click(page, `Revoke ${name}`);
      await page.loses(name);
      await waitFor(() => assert.match(focused().textContent || focused().name, next));
    }
  });

  it('stay open when the domain changes', async (t) => {
    const page = await openPage(t, `${PATH}/general`, changeable());
    await fill(page, 'Domain', 'a.example');
    await click(page, 'Save');
    await page.reaches('/a.example/settings/general');
    const domain = await page.screen.findByLabelText<HTMLInputElement>('Domain');
    assert.equal(domain.value, 'a.example');
  });

  it('are saved once, by a button that keeps the focus meanwhile', async (t) => {
    const { promise, resolve } = Promise.withResolvers<SiteAnswer>();
    const page = await openPage(t, `${PATH}/general`, {
      ...changeable(),
      'PATCH /api/v1/sites/:id': () => promise,
    });
    await click(page, 'Save');
    await click(page, 'Save');
    // Browsers take the focus from what is disabled.
    const save = page.screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    assert.ok(document.activeElement === save && !save.disabled);
    resolve(SITE);
    await page.screen.findByText('Saved.');
    assert.equal(page.api.calls('PATCH /api/v1/sites/:id').length, 1);
  });

  it('ask before a shorter retention deletes events', async (t) => {
    const page = await openPage(t, `${PATH}/general`, changeable());
    const save = async (text: string) => {
      await fill(page, 'Keep events for', text);
      await click(page, 'Save');
    };
    await save('30d');
    await page.part('dialog', /^Delete events before \w+ \w+,? 2026\?$/);
    await click(page, 'Cancel');
    assert.equal(lastChange(page), undefined);
    await save('30d');
    await click(page, 'Delete and save');
    await page.screen.findByText('Saved.');
    assert.equal(lastChange(page)?.settings?.retention, '30d');
    for (const longer of ['2y', '']) {
      await save(longer);
      await waitFor(() => assert.equal(lastChange(page)?.settings?.retention, longer || null));
    }
  });

  it('choose what is private, and replace a secret, shown once, after a question', async (t) => {
    const page = await openPage(t, `${PATH}/privacy`, changeable());
    await page.user.selectOptions(await page.screen.findByLabelText('Cookies'), 'gpc');
    await fill(page, 'Masked paths', '/o/*, /u');
    await click(page, 'Save');
    await page.screen.findByText('Saved.');
    const { cookieless, mask_paths, identify } = lastChange(page)?.settings ?? {};
    assert.deepEqual([cookieless, mask_paths, identify], ['gpc', ['/o/*', '/u'], null]);
    await click(page, 'Create a secret');
    await page.part('region', 'The identity secret');
    page.open();
    await click(page, 'Replace the secret …');
    await page.screen.findByText(/will be refused/);
    assert.ok(page.screen.queryByText('secret of tea') === null);
    await click(page, 'Replace it');
    await page.screen.findByText('secret of tea');
  });

  it('add, order and remove channels', async (t) => {
    const page = await openPage(t, `${PATH}/channels`, changeable());
    for (const name of ['A', 'B']) {
      await fill(page, 'Channel', name);
      await click(page, 'Add rule');
      await page.screen.findByText(name);
    }
    const names = () => lastChange(page)?.channels?.map(({ name }) => name);
    await click(page, 'Move B up');
    await page.screen.findByRole('button', { name: 'Move A up' });
    assert.deepEqual(names(), ['B', 'A']);
    const [first] = page.screen.getAllByRole('button', { name: 'Remove' });
    if (first !== undefined) await page.user.click(first);
    await page.loses('B');
    assert.deepEqual(names(), ['A']);
  });

  it('ask before a key is rotated or revoked, and say how long it works', async (t) => {
    const page = await openPage(t, `${PATH}/keys`, {
      'POST /api/v1/sites/:id/keys/:key/rotate': { ...KEY, key: 'trb_new' },
      'DELETE /api/v1/sites/:id/keys/:key': { ...KEY, state: 'revoked' },
    });
    await click(page, 'Rotate');
    await page.screen.findByText(/This one keeps working for up to 24 hours\./);
    await click(page, 'Cancel');
    await click(page, 'Rotate');
    assert.deepEqual(page.api.calls('POST /api/v1/sites/:id/keys/:key/rotate'), []);
    await click(page, 'Rotate Shop');
    await page.screen.findByText('trb_new');
    await click(page, 'Revoke');
    page.api.answer({ 'GET /api/v1/sites/:id/keys': { keys: [] } });
    await click(page, 'Revoke Shop');
    await page.screen.findByText(/There are no keys\./);
  });

  it('filter an alert with the editor of the overview, and say it in words', async (t) => {
    let { alerts } = NOTICES;
    const page = await openPage(t, `${PATH}/mail`, {
      'GET /api/v1/sites/:id/notices': () => ({ ...NOTICES, alerts }),
      'PUT /api/v1/sites/:id/alerts': ({ body }) => {
        alerts = body;
        return { ...NOTICES, alerts };
      },
    });
    await fill(page, 'Value', '20');
    await click(page, '+ Filter');
    await page.user.selectOptions(await page.screen.findByLabelText('Filter by'), 'Country');
    await page.user.click(await page.screen.findByRole('checkbox', { name: /^Germany/ }));
    await click(page, 'Apply');
    await page.part('group', 'Filters of the alert');
    await page.screen.findByRole('button', { name: 'Remove filter: Country is Germany' });
    assert.deepEqual(page.api.calls('PUT /api/v1/sites/:id/alerts'), [], 'a filter adds no alert');
    await click(page, 'Add alert');
    await page.screen.findByText('Daily revenue below €20.00, where Country is Germany');
    assert.deepEqual(alerts.own?.[0]?.filters, [['is', 'visit:country', ['DE']]]);
    assert.ok(page.screen.queryByRole('button', { name: /^Remove filter/ }) === null);
    await page.user.selectOptions(page.screen.getByLabelText('When'), 'A goal is reached');
    assert.ok(page.screen.queryByRole('button', { name: '+ Filter' }) === null);
  });

  it('give people other roles, and show their names as text', async (t) => {
    const name = 'Vera <i>V</i>';
    const page = await openPage(t, `${PATH}/people`, {
      'GET /api/v1/sites/:id/members': { members: [{ ...VIEWER, name }], invitations: [] },
      'PATCH /api/v1/sites/:id/members/:user': { ...VIEWER, name, role: 'admin' },
    });
    await page.screen.findByText(name);
    await page.user.selectOptions(page.screen.getByLabelText(`Role of ${name}`), 'admin');
    await waitFor(() => {
      const [change] = page.api.calls('PATCH /api/v1/sites/:id/members/:user');
      assert.deepEqual(change?.body, { role: 'admin' });
    });
  });
});
