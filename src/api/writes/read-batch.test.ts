import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EVENTS_MAX } from '#contract/event.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import { readBatch } from './read-batch.ts';

const read = async (text: string, maxLength = 100) =>
  (await readBatch(Buffer.from(text), maxLength)).value;
const typeOf = async (text: string, maxLength?: number) => {
  try {
    return await read(text, maxLength);
  } catch (error) {
    assert.ok(error instanceof RefusedRequest, String(error));
    return error.type;
  }
};

describe('reading a batch', () => {
  it('gives back what `JSON.parse` does, whatever its events are', async () => {
    const batches = fc.record({
      before: fc.jsonValue({ maxDepth: 2 }),
      events: fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1 }),
      after: fc.string({ unit: fc.constantFrom(...'"\\,[]{}: events') }),
    });
    await fc.assert(
      fc.asyncProperty(batches, fc.constantFrom(undefined, 1), async (batch, indent) => {
        const text = JSON.stringify(batch, null, indent);
        assert.deepEqual(await read(text, text.length), JSON.parse(text));
      }),
    );
  });

  it('takes the last list of events, and looks for none elsewhere', async () => {
    assert.deepEqual(await read('{"events":[1,2],"x":{"events":[3]},"events":[{"a":[4,5]}]}'), {
      ...{ events: [{ a: [4, 5] }], x: { events: [3] } },
    });
  });

  it('refuses what is not JSON, with the event where it stops', async () => {
    const broken = [
      '[1,,2]',
      '[,1]',
      '[1,]',
      '[1 2]',
      '[1}',
      '[1,{]',
      '[1]]',
      '[tru]',
      '[1',
      '["]',
    ];
    for (const list of broken)
      assert.equal(await typeOf(`{"events":${list}}`), 'invalid_json', list);
    for (const text of ['{"events":[1]', '{"events":[1],}', '{"events":[1]} x', '{events:[1]}']) {
      assert.equal(await typeOf(text), 'invalid_json', text);
    }
    await assert.rejects(read('{"events":[1,{"a":}]}'), /Event 1 of the batch is not JSON/);
    await assert.rejects(readBatch(Buffer.from([0x22, 0xff, 0x22]), 9), /not UTF-8/);
    const deep = `{"events":[${'['.repeat(7)}${']'.repeat(7)}]}`;
    await assert.rejects(read(deep), /nested deeper than 8/);
  });

  it('refuses an event that is too large alone, and what is no batch', async () => {
    const large = `"${'x'.repeat(100)}"`;
    const bodies = [
      ...[`{"events":[1,${large}]}`, `{"events":[1],"x":${large}}`, `{"events":[${large}`],
      ...[
        large,
        `[${large}]`,
        `{"x":[${'1,'.repeat(60)}1]}`,
        '{"events":[]}',
        '{"events":7}',
        '[1]',
      ],
    ];
    for (const body of bodies) assert.equal(await typeOf(body), 'request_too_large', body);
  });

  it('refuses too many events before it reads them all', async () => {
    const most = Array.from({ length: EVENTS_MAX }, () => 0);
    assert.deepEqual(await read(JSON.stringify({ events: most }), 2_000), { events: most });
    const more = `{"events":[${most},0,never read`;
    await assert.rejects(read(more, 2_000), /at \/events: must have at most 500 elements/);
  });
});
