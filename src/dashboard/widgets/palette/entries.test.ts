import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answered } from '../../api/query.ts';
import { formatIn } from '../../format/intl-forms.ts';
import { listEntries, listEverywhere, listShownValues } from './entries.ts';
import { findFuzzy } from './fuzzy.ts';

before(() => formatIn('en'));
after(() => formatIn());

const settingsOf = (role: 'owner' | 'admin' | 'viewer') =>
  listEntries({ domain: 'tea.example', role }, [])
    .filter(({ group }) => group === 'Settings')
    .map(({ label }) => label);

describe('the entries of the palette', () => {
  it('include only the settings that a role sees', () => {
    const all = settingsOf('admin');
    assert.ok(all.includes('API keys') && all.includes('Time zone'));
    const ofOwners = settingsOf('owner').filter((label) => !all.includes(label));
    assert.deepEqual(ofOwners, ['Payment providers', 'Connect Stripe, Paddle and others']);
    assert.deepEqual(
      settingsOf('owner').filter((label) => !ofOwners.includes(label)),
      all,
    );
    const ofViewers = settingsOf('viewer');
    assert.ok(ofViewers.includes('Exports') && ofViewers.includes('Alerts'));
    assert.ok(!ofViewers.includes('API keys') && !ofViewers.includes('Time zone'));
  });

  it('answer to the names of what the page can do', () => {
    const entries = listEntries({ domain: 'tea.example', role: 'viewer' }, []);
    for (const [typed, goal] of [
      ['compare', { open: 'comparison' }],
      ['share', { open: 'share' }],
      ['dark', { theme: 'dark' }],
      ['linear', { view: { model: 'linear' } }],
      ['webhook', { path: '/tea.example/settings/mail' }],
      ['sign out', { does: 'sign-out' }],
      ['help', { open: 'help' }],
      ['docs', { does: 'read-docs' }],
      ['two-factor', { path: '/account' }],
    ] as const) {
      assert.deepEqual(findFuzzy(entries, typed)[0]?.goal, goal, typed);
    }
  });

  it('need no site for sites, help, the account and themes', () => {
    const found = listEverywhere([]).map(({ label }) => label);
    assert.deepEqual(found, [
      'All sites',
      ...['Show keyboard shortcuts', 'Documentation', 'Your account', 'Password'],
      ...['Two-factor authentication', 'Your own visits'],
      ...['System', 'Light', 'Dark'],
      'Sign out',
    ]);
  });

  it('lead to several sites as one where there are several', () => {
    const site = (domain: string) => ({
      ...({
        id: domain,
        domain,
        name: '',
        timezone: 'UTC',
        currency: 'EUR',
        role: 'viewer',
      } as const),
      ...{ has_payments: true, has_costs: false },
    });
    const [tea, mugs] = [site('tea.example'), site('mugs.example')];
    const goalOf = (...sites: (typeof tea)[]) =>
      listEverywhere(sites).find(({ label }) => label === 'Several sites as one')?.goal;
    assert.deepEqual(goalOf(tea, mugs), { path: '/sites' });
    assert.equal(goalOf(tea), undefined);
  });
});

const rows = (...all: string[][]) => all.map((dimensions) => ({ dimensions }));
const list = (...answers: Answered[]) =>
  listShownValues(answers).map(({ group, label, goal }) => [group, label, goal]);

describe('the values that the palette filters by', () => {
  it('are those of loaded panels, each once, as a filter reads', () => {
    const asked = { dimensions: ['visit:country'] };
    assert.deepEqual(
      list({ asked, results: rows(['DE'], ['FR']) }, { asked, results: rows(['DE']) }),
      [
        ['Country is', 'Germany', { dimension: 'visit:country', value: 'DE' }],
        ['Country is', 'France', { dimension: 'visit:country', value: 'FR' }],
      ],
    );
  });

  it('are found in panels that were asked for together', () => {
    const asked = { dimensions: ['visit:channel', 'visit:device'], separately: true };
    assert.deepEqual(
      list({ asked, results: rows(['visit:channel', 'Email'], ['visit:device', 'mobile']) }),
      [
        ['Channel is', 'Email', { dimension: 'visit:channel', value: 'Email' }],
        ['Device is', 'Mobile', { dimension: 'visit:device', value: 'mobile' }],
      ],
    );
  });

  it('leave out what nothing can be filtered by', () => {
    assert.deepEqual(
      list(
        { asked: { dimensions: ['time'] }, results: rows(['2026-11-01']) },
        { asked: { dimensions: ['visit:source'] }, results: rows(['Unattributed']) },
        { asked: { dimensions: ['visit:source', 'visit:medium'] }, results: rows(['a', 'b']) },
        { asked: {}, results: rows([]) },
      ),
      [],
    );
  });
});
