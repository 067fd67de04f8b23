import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { findWebhookFault, postWebhook } from './post-webhook.ts';

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

  it('leads to no private address by its name', async () => {
    await assert.rejects(postWebhook('https://localhost:1/', {}, false), /private address/);
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
