import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeChanges } from './describe-changes.ts';

describe('a description of changes', () => {
  const before = { name: '', retention: null, allowed_hosts: [], channels: [], isSigned: false };

  it('has each changed field with the value before and after, and no other', () => {
    const after = {
      ...before,
      name: 'Tea',
      retention: '90d',
      allowed_hosts: ['a.example', 'b.example'],
    };
    assert.equal(
      describeChanges(before, after),
      'name: none → Tea; retention: default → 90d; allowed hosts: none → a.example, b.example',
    );
    assert.equal(
      describeChanges(after, before),
      'name: Tea → none; retention: 90d → default; allowed hosts: a.example, b.example → none',
    );
  });

  it('only names lists of objects', () => {
    assert.equal(describeChanges(before, { ...before, channels: [{ name: 'Tea' }] }), 'channels');
  });

  it('is empty if nothing changed', () => {
    assert.equal(describeChanges(before, { ...before, allowed_hosts: [] }), '');
  });
});
