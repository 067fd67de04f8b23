import { forward } from '@tributary/proxy';
import { createTributary, visitorFrom } from '@tributary/server';
import { Hono } from 'hono';

const tributary = createTributary();
export const app = new Hono();

// The script and its events, on your own domain: <script async data-site="example.com" src="/t.js"></script>
// On Node, add `peer`: getConnInfo(c).remote.address of @hono/node-server/conninfo.
app.all('/t.js', (c) => forward(c.req.raw));

// A goal. On Cloudflare: c.executionCtx.waitUntil(tributary.queue.flush()).
app.post('/signup', (c) => {
  tributary.queue.goal({ service_visitor_id: visitorFrom(c.req.raw), name: 'signup' });
  return c.redirect('/welcome', 303);
});

// A payment that your shop takes itself. Connected payment providers need none of this.
app.post('/pay', async (c) => {
  const charge = await c.req.json();
  const { message } = await tributary.payment({
    service_visitor_id: visitorFrom(c.req.raw),
    amount_minor: charge.amount,
    currency: charge.currency,
    transaction_id: charge.id,
  });
  return c.json({ message });
});
