// server/middleware/tributary.ts
import { forward } from '@tributary/proxy';
import { createTributary, visitorFrom } from '@tributary/server';
import { defineEventHandler, getRequestURL, toWebRequest } from 'h3';

const tributary = createTributary();

/**
 * Serves the script and takes its events on your own domain: in nuxt.config.ts,
 * `app: { head: { script: [{ src: '/t.js', async: true, 'data-site': 'example.com' }] } }`. Everything else finds the
 * visitor in `event.context`.
 */
export default defineEventHandler((event) => {
  const { req } = event.node;
  if (getRequestURL(event).pathname === '/t.js') {
    return forward(toWebRequest(event), { peer: req.socket.remoteAddress });
  }
  event.context.visitor = visitorFrom(req);
  event.context.tributary = tributary;
});

// In an API route:
//   const { tributary, visitor } = event.context;
//   tributary.queue.goal({ service_visitor_id: visitor, name: 'signup' });
//   await tributary.payment({
//     service_visitor_id: visitor, amount_minor: 2999, currency: 'EUR', transaction_id: charge.id,
//   });
