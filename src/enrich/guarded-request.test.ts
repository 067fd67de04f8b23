import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { describe, it } from 'node:test';
import { findUrlFault, isElsewhere } from './guarded-request.ts';

describe('a request to another server', () => {
  it('does not go to what only this server reaches, by no name', () => {
    for (const address of [
      ...['127.0.0.1', '::1', '192.168.1.1', 'fd00::1', 'fe80::1', 'fec0::1', '100.64.0.1'],
      ...['::ffff:10.0.0.1', '::ffff:a00:1', '::10.0.0.1', '::ffff:0:10.0.0.1', '64:ff9b::a00:1'],
      ...['64:ff9b:1::a00:1', '2002:a00:1::', '2001::f5ff:fffe', 'no address', ''],
    ]) {
      assert.equal(isElsewhere(address), false, address);
    }
    for (const address of ['93.184.216.34', '2606:2800:220:1::1', '2001:4860:4860::8888']) {
      assert.equal(isElsewhere(address), true, address);
    }
  });

  it('does not go to this machine by its public addresses', async (t) => {
    const ours = { address: '93.184.216.34' } as NetworkInterfaceInfo;
    t.mock.method(os, 'networkInterfaces', () => ({ eth0: [ours], gone: undefined }));
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    assert.equal(isElsewhere('93.184.216.34'), false);
    assert.equal(isElsewhere('::ffff:93.184.216.34'), false);
    assert.equal(isElsewhere('93.184.216.35'), true);
    assert.match(findUrlFault(new URL('https://93.184.216.34/')) ?? '', /not this machine/);
  });
});
