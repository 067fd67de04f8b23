import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { findWebhookFault, postWebhook, toWebhookBody } from './post-webhook.ts';

const TOLD = { title: 'Revenue −62 %', message: 'It was low.' };

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

  const slack = 'https://hooks.slack.com/services/T/B/x';
  const discord = 'https://discord.com/api/webhooks/1/x';
  const telegram = 'https://api.telegram.org/bot1:x/sendMessage?chat_id=-42';
  const bodyOf = (url: string, told = TOLD) => toWebhookBody(new URL(url), told);

  it('gets messages in the format of its chat', () => {
    const bold = '*Revenue −62 %*\nIt was low.';
    for (const url of [slack, 'https://hooks.slack-gov.com/services/T/B/x']) {
      assert.deepEqual(bodyOf(url), { text: bold });
    }
    for (const host of ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com']) {
      assert.deepEqual(bodyOf(`https://${host}/api/webhooks/1/x`), {
        content: '**Revenue −62 %**\nIt was low.',
        allowed_mentions: { parse: [] },
      });
    }
    assert.deepEqual(bodyOf(telegram), { chat_id: '-42', text: 'Revenue −62 %\n\nIt was low.' });
    assert.match(findWebhookFault(telegram.split('?')[0] ?? '', false) ?? '', /chat_id/);
    assert.equal(bodyOf('https://hooks.example.com/'), TOLD);
    assert.equal(bodyOf('https://discord.com.evil.example/'), TOLD);
  });

  it('rings for nobody in a chat, and is cut to what a chat takes', () => {
    const hostile = { title: '<!channel> & "co"', message: '@everyone '.repeat(1_000) };
    const { text } = bodyOf(slack, hostile) as { text: string };
    assert.ok(text.startsWith('*&lt;!channel&gt; &amp; "co"*\n'));
    const { content, allowed_mentions: allowed } = bodyOf(discord, hostile) as {
      content: string;
      allowed_mentions: object;
    };
    assert.deepEqual([content.length, allowed], [2_000, { parse: [] }]);
    assert.equal((bodyOf(telegram, hostile) as { text: string }).text.length, 4_096);
  });

  it('leads to no private address by its name', async () => {
    await assert.rejects(postWebhook('https://localhost:1/', TOLD, false), /private address/);
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
    await postWebhook(url, TOLD, true);
    assert.deepEqual(bodies, [JSON.stringify(TOLD)]);
    status = 302;
    await assert.rejects(postWebhook(url, TOLD, true), /answered 302/);
    server.close();
  });
});
