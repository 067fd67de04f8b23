import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { findOrigin } from './find-origin.ts';

const NEAR = '127.0.0.1';
const FAR = '198.51.100.1';

function from(ip: string, forwardedFor?: string, remoteAddress = ip) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return findOrigin({ ip, headers, socket: { remoteAddress } } as unknown as FastifyRequest);
}

describe('where an attempt to sign in comes from', () => {
  it('is its network', () => {
    const proved = { isShared: false, isUnproved: false };
    assert.deepEqual(from(FAR), { network: FAR, ...proved });
    assert.deepEqual(from('2001:db8::1'), { network: '2001:db8:0:0::/64', ...proved });
    assert.deepEqual(from(FAR, FAR, NEAR), { network: FAR, ...proved });
  });

  it('is, without proof, what a nearby untrusted proxy adds about its sender', () => {
    const one = from(NEAR, '203.0.113.1');
    assert.deepEqual([one.isShared, one.isUnproved], [false, true]);
    assert.notEqual(one.network, from(NEAR, '203.0.113.2').network);
    assert.deepEqual(from(NEAR, '203.0.113.66, 203.0.113.1'), one);
    assert.notEqual(one.network, '203.0.113.1');
  });

  it('is shared where a near proxy says nothing, or somebody far away says something', () => {
    const shared = { isShared: true, isUnproved: true };
    for (const near of [NEAR, '::1', '::ffff:127.0.0.1', '10.0.0.1', 'fd00::1']) {
      assert.deepEqual({ ...from(near), network: '' }, { ...shared, network: '' }, near);
    }
    assert.deepEqual(from(FAR, '203.0.113.1'), { network: FAR, ...shared });
    assert.deepEqual(from(FAR, '203.0.113.2'), from(FAR, '203.0.113.1'));
  });
});
