import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where Stripe would send its events, as set in its dashboard. */
export type Destination = { readonly url: string; readonly secret: string };

const MONEY = { amount: 2_999, currency: 'eur' };
/** Stripe repeats what was refused for days; this stub only long enough for a secret to become known. */
const RETRY_AFTER_MS = [500, 1_000, 2_000, 0];
const PAY = `<!doctype html>
<title>Checkout</title>
<h1>Checkout</h1>
<form method="post"><button>Pay (a stub: no money moves)</button></form>`;

/**
 * Plays the little of Stripe that `next-stripe` needs: it creates Checkout Sessions, shows a button instead of a checkout,
 * and sends the signed events of what was paid.
 *
 * - `faults` are the statuses of its next answers, before it works.
 */
export function createStripeStub(destination: Destination, faults: number[] = []): Server {
  const sessions = new Map<string, URLSearchParams>();
  const idsByKey = new Map<string, string>();
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stripe');
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);

    if (pathname === '/v1/checkout/sessions') {
      const asked = new URLSearchParams(await text(request));
      const key = String(request.headers['idempotency-key']);
      const id = idsByKey.get(key) ?? `cs_${randomUUID()}`;
      idsByKey.set(key, id);
      sessions.set(id, asked);
      const fault = faults.shift();
      if (fault !== undefined) return answer(fault, 'text/plain', 'Stripe is out of order.');
      const url = `http://${request.headers.host}/pay/${id}`;
      const session = { ...toSession(id, asked, 'unpaid'), url };
      return answer(200, 'application/json', JSON.stringify(session));
    }
    const id = pathname.slice('/pay/'.length);
    const session = sessions.get(id);
    if (session === undefined) return answer(404, 'text/plain', 'There is no such session.');
    if (request.method !== 'POST') return answer(200, 'text/html', PAY);
    for (const [type, object] of toEvents(id, session)) await send(destination, type, object);
    return response.writeHead(303, { location: session.get('success_url') ?? '/' }).end();
  });
}

/** A Checkout Session as Stripe shows it. */
function toSession(id: string, asked: URLSearchParams, status: 'paid' | 'unpaid') {
  const metadata = [...asked].flatMap(([name, value]) => {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value]];
  });
  return {
    ...{ id, object: 'checkout.session', mode: asked.get('mode'), payment_status: status },
    ...{ client_reference_id: asked.get('client_reference_id'), currency: MONEY.currency },
    ...{ amount_total: MONEY.amount, created: toSeconds(), livemode: true, customer: null },
    ...{ payment_intent: status === 'paid' ? `pi_${id}` : null, invoice: null, subscription: null },
    metadata: Object.fromEntries(metadata),
    customer_details: { email: 'ada@example.com', name: 'Ada' },
  };
}

/** The events of one payment. Only the session has the visitor id, and it does not come first. */
function toEvents(id: string, asked: URLSearchParams): readonly (readonly [string, object])[] {
  const charge = {
    ...{ id: `ch_${id}`, object: 'charge', ...MONEY, amount_captured: MONEY.amount },
    ...{ amount_refunded: 0, captured: true, paid: true, status: 'succeeded', livemode: true },
    ...{ created: toSeconds(), metadata: {}, payment_intent: `pi_${id}`, customer: null },
  };
  return [
    ['charge.succeeded', charge],
    ['checkout.session.completed', toSession(id, asked, 'paid')],
  ];
}

/** Sends an event, signed as https://docs.stripe.com/webhooks says. */
async function send({ url, secret }: Destination, type: string, object: object): Promise<void> {
  const created = toSeconds();
  const body = JSON.stringify({
    ...{ id: `evt_${randomUUID()}`, object: 'event', type, created, livemode: true },
    ...{ api_version: '2026-10-28.endive', data: { object } },
  });
  const v1 = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': `t=${created},v1=${v1}`,
  };
  for (const wait of RETRY_AFTER_MS) {
    const { status } = await fetch(url, { method: 'POST', headers, body });
    if (status === 200) return;
    console.error(`The webhook ${url} answered ${status} to ${type}.`);
    await sleep(wait);
  }
}

function toSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

// By itself: beside a shop that you try by hand.
if (import.meta.main) {
  const { WEBHOOK_URL: url = '', WEBHOOK_SECRET: secret = 'whsec_stub_0123456789' } = process.env;
  const stub = createStripeStub({ url, secret }).listen(3001, '127.0.0.1');
  stub.on('listening', () => console.log('Stripe’s stub listens at http://127.0.0.1:3001'));
}
