import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IN_NUMBERS } from '#ledger/schema/in-numbers.ts';
import { toPostgres } from './to-postgres.ts';

const TEXTS_OF = (at: number) => `SELECT jsonb_array_elements_text(CAST($${at} AS jsonb)) AS value`;

describe('a statement for PostgreSQL', () => {
  it('numbers its parameters', () => {
    assert.equal(toPostgres('a = ? AND b = ?'), 'a = $1 AND b = $2');
    assert.equal(toPostgres('a = ?2 AND b = ?1 AND c = ?2'), 'a = $2 AND b = $1 AND c = $2');
  });

  it('finds what is in a list by an index, texts and numbers', () => {
    assert.equal(
      toPostgres('site_id = ? AND key IN (SELECT value FROM json_each(?))'),
      `site_id = $1 AND key = ANY (ARRAY(${TEXTS_OF(2)}))`,
    );
    assert.equal(
      toPostgres(`person ${IN_NUMBERS}`),
      `person = ANY (ARRAY(SELECT CAST(value AS BIGINT) FROM (${TEXTS_OF(1)}) AS listed))`,
    );
  });

  it('has lists that nothing is looked up in, and values that are not in one', () => {
    assert.equal(
      toPostgres('FROM (SELECT value FROM json_each(?)) AS asked'),
      `FROM (${TEXTS_OF(1)}) AS asked`,
    );
    assert.equal(
      toPostgres('rule NOT IN (SELECT value FROM json_each(?))'),
      `rule NOT IN (${TEXTS_OF(1)})`,
    );
  });
});
