import { createTimedHmac } from '../webhook-signatures.ts';

/**
 * `Paddle-Signature: ts=…;h1=…`: the HMAC of `ts:body`.
 *
 * - Why not Paddle's five seconds: a delivery may wait behind a burst.
 * - Source: https://developer.paddle.com/webhooks/signature-verification.
 */
export const paddleSignature = createTimedHmac({
  ...{ header: 'paddle-signature', separators: [';', ':'], names: ['ts', 'h1'] },
});
