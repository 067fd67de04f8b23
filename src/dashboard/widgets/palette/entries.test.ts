import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listEntries } from './entries.ts';

const settingsOf = (role: 'owner' | 'admin' | 'viewer') =>
  listEntries({ domain: 'tea.example', role }, [])
    .filter(({ group }) => group === 'Settings')
    .map(({ label }) => label);

describe('the entries of the palette', () => {
  it('include only the settings that a role sees', () => {
    const all = settingsOf('admin');
    assert.ok(all.includes('API keys') && all.includes('People'));
    assert.deepEqual(settingsOf('owner'), all);
    assert.deepEqual(settingsOf('viewer'), [
      'Script',
      'Mail and alerts',
      'Exports',
      'Health',
      'Your account',
    ]);
  });
});
