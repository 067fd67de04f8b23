import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { createFindSender } from './find-sender.ts';

const PEER = '127.0.0.1';
const VISITOR = '203.0.113.9';
const FORWARDED = {
  host: 'inner.example',
  'x-forwarded-for': `198.51.100.1, ${VISITOR}, 10.0.0.7`,
  'x-forwarded-host': 'made-up.example, www.shop.example',
};

const from = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('the sender of a request', () => {
  it('is the peer where no proxy is trusted, whatever is forwarded', () => {
    const findSender = createFindSender([]);
    assert.deepEqual(findSender(from(PEER, FORWARDED)), { ip: PEER, host: 'inner.example' });
  });

  it('is the last one before the proxies that are trusted, and has the last host that is forwarded', () => {
    const findSender = createFindSender([PEER, '10.0.0.0/8']);
    assert.deepEqual(findSender(from(PEER, FORWARDED)), { ip: VISITOR, host: 'www.shop.example' });
  });

  it('is the peer where that is no trusted proxy', () => {
    const findSender = createFindSender(['10.0.0.0/8']);
    assert.deepEqual(findSender(from(PEER, FORWARDED)), { ip: PEER, host: 'inner.example' });
  });

  it('is the peer where a trusted proxy forwards nothing', () => {
    const findSender = createFindSender([PEER]);
    const direct = { host: 'inner.example' };
    assert.deepEqual(findSender(from(PEER, direct)), { ip: PEER, host: 'inner.example' });
  });
});
