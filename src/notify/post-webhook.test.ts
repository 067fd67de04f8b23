import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { describe, it } from 'node:test';
import { findWebhookFault, isElsewhere, postWebhook } from './post-webhook.ts';

describe('a webhook', () => {
  it('is an https address of the internet, unless the owner of the server chose it', () => {
    for (const wrong of [
      ...['ftp://a.example', 'nothing', 'http://a.example', 'https://127.0.0.1/', 'https://[::1]/'],
      ...['https://10.1.2.3/', 'https://169.254.169.254/', 'https://[::ffff:127.0.0.1]/'],
      'https://user:secret@a.example/',
    ]) {
      assert.ok(findWebhookFault(wrong, false), wrong);
    }
    assert.equal(findWebhookFault('https://hooks.example.com/x', false), undefined);
    assert.equal(findWebhookFault('http://127.0.0.1:1234/x', true), undefined);
    assert.ok(findWebhookFault('ftp://a.example', true));
  });

  it('does not lead to what only the server reaches, by no name', async () => {
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
    await assert.rejects(postWebhook('https://localhost:1/', {}, false), /private address/);
  });

  it('does not lead to this machine by its public addresses', async (t) => {
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
    assert.match(findWebhookFault('https://93.184.216.34/', false) ?? '', /not this machine/);
  });

  it('is posted JSON, and says what it answered when it takes none', async () => {
    const bodies: string[] = [];
    let status = 200;
    const server = createServer(async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await postWebhook(url, { kind: 'traffic' }, true);
    assert.deepEqual(bodies, ['{"kind":"traffic"}']);
    status = 302;
    await assert.rejects(postWebhook(url, {}, true), /answered 302/);
    server.close();
  });
});
