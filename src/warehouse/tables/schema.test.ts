import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SCHEMA } from './schema.ts';
import { FSYNCED } from './table-settings.ts';

it('every table has what is inserted and merged fsynced before its origins go', () => {
  const tables = Object.entries(SCHEMA).filter(([, sql]) => sql.includes('MergeTree'));
  assert.equal(tables.length, 6);
  const others = tables.filter(([, sql]) => !sql.includes(FSYNCED)).map(([name]) => name);
  assert.deepEqual(others, []);
});
