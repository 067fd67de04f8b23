import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Paddle } from '@paddle/paddle-node-sdk';
import { signPaddle, verifyPaddle } from '#providers/paddle/verify.ts';

const BODY = '{"event_id":"e-1","name":"Zoë €","amount":1.10}\n';

/** A delivery with these headers that arrives at a time. */
function delivery(
  headers: Readonly<Record<string, string>>,
  body: string,
  receivedAt = Date.now(),
) {
  return { headers, body: Buffer.from(body), receivedAt };
}

describe('Paddle’s own verifier', () => {
  const { webhooks } = new Paddle('key');

  it('takes what we sign', async () => {
    const header = signPaddle(BODY, 'pdl_ntfset_s', Date.now())['paddle-signature'];
    assert.equal(await webhooks.isSignatureValid(BODY, 'pdl_ntfset_s', header), true);
    assert.equal(await webhooks.isSignatureValid(BODY, 'pdl_ntfset_t', header), false);
  });

  it('publishes a signature that we take', () => {
    const header =
      'ts=1698796800;h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9';
    const published = (value: string) =>
      verifyPaddle(
        delivery({ 'paddle-signature': value }, '{"data": ["1", "2"]}', 1_698_796_800_000),
        ['OLD_SECRET', 'VALID_SECRET'],
      );
    assert.equal(published(header), undefined);
    // While a secret is rotated, either may come first.
    assert.equal(published(`${header};h1=${'0'.repeat(64)}`), undefined);
    assert.equal(published(header.replace('h1=', `h1=${'0'.repeat(64)};h1=`)), undefined);
    assert.equal(published(header.replace('h1=', 'h0=')), 'forged');
  });
});
