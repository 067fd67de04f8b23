import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';

/** Where Paddle would send its events, as set in its dashboard. */
export type Destination = { readonly url: string; readonly secret: string };

type Created = { readonly custom_data?: unknown; readonly items: readonly { price_id: string }[] };

const PRICE = { amount: '2999', currency_code: 'EUR' };

/**
 * Plays the little of Paddle that `express-paddle` needs: it creates transactions, serves a Paddle.js that shows a
 * button instead of a checkout, and sends the signed event of what was paid.
 *
 * - `faults` are the statuses of its next answers, before it works.
 */
export function createPaddleStub(destination: Destination, faults: number[] = []): Server {
  const transactions = new Map<string, Created>();
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://paddle');
    const answer = (status: number, type: string, body: string) =>
      response
        .writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*' })
        .end(body);

    if (pathname === '/transactions') {
      const created = (await json(request)) as Created;
      const fault = faults.shift();
      if (fault !== undefined) return answer(fault, 'text/plain', 'Paddle is out of order.');
      const id = `txn_${randomUUID()}`;
      transactions.set(id, created);
      return answer(201, 'application/json', JSON.stringify({ data: toTransaction(id, created) }));
    }
    if (pathname === '/paddle.js') return answer(200, 'text/javascript', PADDLE_JS);
    const id = /^\/pay\/(txn_[\w-]+)$/.exec(pathname)?.[1] ?? '';
    const paid = transactions.get(id);
    if (paid === undefined) return answer(404, 'text/plain', 'There is no such transaction.');
    const status = await send(destination, toTransaction(id, paid, 'completed'));
    return answer(status, 'text/plain', '');
  });
}

/** A transaction as Paddle shows it. */
function toTransaction(id: string, { items, custom_data = null }: Created, status = 'ready') {
  const now = new Date().toISOString();
  const totals = { total: PRICE.amount, grand_total: PRICE.amount, tax: '0', currency_code: 'EUR' };
  return {
    ...{ id, status, custom_data, origin: 'api', currency_code: 'EUR', subscription_id: null },
    ...{ customer_id: 'ctm_stub', created_at: now, updated_at: now, billed_at: now },
    items: items.map(({ price_id }) => ({
      ...{ quantity: 1, price_id },
      price: {
        ...{ id: price_id, name: 'Kettle', unit_price: PRICE, billing_cycle: null },
        ...{ quantity: { minimum: 1, maximum: 100 }, unit_price_overrides: [] },
      },
    })),
    details: { totals, tax_rates_used: [], line_items: [] },
    ...{ payments: [], checkout: { url: null } },
  };
}

/** Sends the event, signed as https://developer.paddle.com/webhooks/signature-verification says. */
async function send({ url, secret }: Destination, transaction: object): Promise<number> {
  const body = JSON.stringify({
    ...{ event_id: `evt_${randomUUID()}`, event_type: 'transaction.completed' },
    ...{ occurred_at: new Date().toISOString(), data: transaction },
  });
  const ts = Math.floor(Date.now() / 1_000);
  const h1 = createHmac('sha256', secret).update(`${ts}:${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'paddle-signature': `ts=${ts};h1=${h1}` };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

/** Paddle.js, with a button in place of the checkout. */
const PADDLE_JS = `
const stub = new URL(document.currentScript.src).origin;
globalThis.Paddle = {
  Environment: { set() {} },
  Initialize({ checkout }) {
    const id = new URLSearchParams(location.search).get('_ptxn');
    const button = document.createElement('button');
    button.textContent = 'Pay (a stub: no money moves)';
    button.onclick = async () => {
      const paid = await fetch(stub + '/pay/' + id, { method: 'POST' });
      if (paid.ok) location.href = checkout.settings.successUrl;
      else button.textContent = 'The webhook was refused: ' + paid.status;
    };
    document.body.append(button);
  },
};`;

// By itself: beside a shop that you try by hand.
if (import.meta.main) {
  const { WEBHOOK_URL: url = '', WEBHOOK_SECRET: secret = 'pdl_ntfset_stub' } = process.env;
  const stub = createPaddleStub({ url, secret }).listen(3001, '127.0.0.1');
  stub.on('listening', () => console.log('Paddle’s stub listens at http://127.0.0.1:3001'));
}
