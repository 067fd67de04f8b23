import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { createChecker, FAULTS_MAX } from './checker.ts';
import { EventRequest } from './event.ts';
import { PaymentRequest } from './payments/payment.ts';
import { SentQuery } from './query.ts';
import { Properties } from './text.ts';

const findFaults = (schema: TSchema, value: unknown) => createChecker(schema).findFaults(value);
const pathsOf = (schema: TSchema, value: unknown) =>
  findFaults(schema, value).map(({ path }) => path);
const QUERY = { site_id: 'a.example', metrics: ['visitors'], date_range: '7d' };

describe('the faults of a body', () => {
  it('are found exactly where the compiled schema is not met', () => {
    for (const schema of [EventRequest, PaymentRequest, SentQuery] as const) {
      const checker = createChecker(schema as TSchema);
      const names = Object.keys(schema.properties);
      const bodies = fc.dictionary(
        fc.constantFrom(...names, 'other', '__proto__'),
        fc.oneof(
          fc.constantFrom<unknown>(
            '',
            'pageview',
            'goal',
            'a@b',
            '7d',
            'ä\0',
            '\ud800',
            -1,
            0,
            5,
            1e300,
          ),
          fc.constantFrom<unknown>(
            ['visitors'],
            ['a', 'a'],
            ['2026-01-01', '2026-01-02'],
            [['a', 'asc']],
          ),
          fc.constantFrom<unknown>(
            { limit: 1 },
            { limit: 0 },
            { cursor: '' },
            { x: 'y' },
            { 'X Y': 1 },
          ),
          fc.jsonValue({ maxDepth: 2 }),
        ),
      );
      const valid = {
        ...QUERY,
        type: 'pageview',
        site: 'a',
        amount: 1,
        currency: 'EUR',
        transaction_id: 't',
      };
      const known = Object.fromEntries(
        Object.entries(valid).filter(([name]) => names.includes(name)),
      );
      fc.assert(
        fc.property(bodies, fc.boolean(), (body, isAdded) => {
          const sent = isAdded ? { ...known, ...body } : body;
          assert.equal(checker.isValid(sent), findFaults(schema, sent).length === 0);
        }),
        { numRuns: 500 },
      );
    }
  });

  it('are about the size alone, if there is too much of something', () => {
    const metrics = Array.from({ length: 41 }, () => 7);
    assert.deepEqual(findFaults(SentQuery, { ...QUERY, metrics }), [
      { path: '/metrics', message: 'must have at most 40 elements' },
    ]);
    const eleven = Object.fromEntries(Array.from('abcdefghijk', (name) => [name, 7]));
    assert.deepEqual(findFaults(Properties(''), eleven), [
      { path: '', message: 'must have at most 10 properties' },
    ]);
  });

  it('are the first, and no more are looked for', () => {
    let looked = 0;
    const unknown = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`name${index}`, index]),
    );
    assert.equal(pathsOf(SentQuery, { ...QUERY, ...unknown }).length, FAULTS_MAX);
    const elements = new Proxy(new Array(1_000).fill(7), {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    const texts = { type: 'array', items: { type: 'string' } } as TSchema;
    assert.equal(pathsOf(texts, elements).length, FAULTS_MAX);
    assert.equal(looked, FAULTS_MAX);
  });
});
