import { Paddle } from '@paddle/paddle-node-sdk';
import express from 'express';
import { pay, SHOP, THANKS, toPage } from './pages.js';
import { retry } from './retry.js';
import { readCookies, reportGoal } from './tributary.js';

const { PORT = '3000', PADDLE_API = 'sandbox', PADDLE_API_KEY, PADDLE_PRICE_ID } = process.env;

/** `sandbox`, `production`, or the address of a stub. */
const paddle = new Paddle(PADDLE_API_KEY, { environment: PADDLE_API });

const app = express();
app.get('/', (_request, response) => response.send(toPage('Kettles', SHOP)));
app.get('/pay', (_request, response) => response.send(toPage('Checkout', pay())));
app.get('/thanks', (_request, response) => response.send(toPage('Thanks', THANKS)));

app.post('/checkout', async (request, response) => {
  const cookies = readCookies(request);
  const transaction = await createTransaction({
    items: [{ priceId: PADDLE_PRICE_ID, quantity: 1 }],
    // All that the payment needs to find its visitor.
    customData: { service_visitor_id: cookies.service_visitor_id },
  });
  // Not awaited: the customer goes on at once. The key makes a click that is repeated one goal.
  reportGoal(cookies.service_visitor_id, 'checkout_started', {}, `checkout-${transaction.id}`);
  response.redirect(303, `/pay?_ptxn=${transaction.id}`);
});

/** A transaction is a draft until it is paid, so a repeated attempt charges nobody twice. The customer waits for it. */
function createTransaction(transaction) {
  return retry([500, 2_000], async () => {
    try {
      return await paddle.transactions.create(transaction);
    } catch (error) {
      const { type, retryAfter } = error;
      const isFinal = type === 'request_error' && !retryAfter;
      throw Object.assign(error, { isFinal, waitMs: (retryAfter ?? 0) * 1_000 });
    }
  });
}

const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(
    `The shop is open at http://localhost:${server.address().port}/?utm_source=newsletter`,
  ),
);
