import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listEntries, listEverywhere } from './entries.ts';
import { findFuzzy } from './fuzzy.ts';

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
      ['compare', { does: 'switch-comparison' }],
      ['share', { open: 'share' }],
      ['dark', { theme: 'dark' }],
      ['linear', { view: { model: 'linear' } }],
      ['webhook', { path: '/tea.example/settings/mail' }],
      ['sign out', { does: 'sign-out' }],
    ] as const) {
      assert.deepEqual(findFuzzy(entries, typed)[0]?.goal, goal, typed);
    }
  });

  it('need no site for sites, help, the account and themes', () => {
    const found = listEverywhere([]).map(({ label }) => label);
    assert.deepEqual(found, [
      'All sites',
      'Show keyboard shortcuts',
      'Your account',
      ...['System', 'Light', 'Dark'],
      'Sign out',
    ]);
  });
});
