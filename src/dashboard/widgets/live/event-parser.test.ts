import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEventParser } from './event-parser.ts';

const STREAM =
  'retry: 2000\n\nid: 7\nevent: status\ndata: {"a":1}\n\n: still here\n\ndata: x\ndata: y\n\n';
const MESSAGES = [
  { id: '7', name: 'status', data: '{"a":1}' },
  { id: '7', name: 'message', data: 'x\ny' },
];

describe('a stream of events', () => {
  it('is read the same wherever it is cut', () => {
    for (const size of [1, 2, 3, 10, STREAM.length]) {
      const parse = openEventParser();
      const pieces = STREAM.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      assert.deepEqual(pieces.flatMap(parse), MESSAGES, `${size} at a time`);
    }
  });

  it('may end its lines otherwise', () => {
    assert.deepEqual(openEventParser()(STREAM.replaceAll('\n', '\r\n')), MESSAGES);
  });
});
