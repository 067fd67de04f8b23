// src/hooks.server.js
import { forward } from '@tributary/proxy';
import { createTributary, visitorFrom } from '@tributary/server';
import { env } from '$env/dynamic/private';

const server = { url: env.TRIBUTARY_URL, key: env.TRIBUTARY_KEY };

/**
 * Serves the script and takes its events on your own domain: in src/app.html,
 * `<script async data-site="example.com" src="/t.js"></script>`. Everything else finds the visitor in `locals`.
 */
export async function handle({ event, resolve }) {
  const { request, url, locals } = event;
  if (url.pathname === '/t.js')
    return forward(request, { ...server, peer: event.getClientAddress() });
  locals.visitor = visitorFrom(request);
  locals.tributary = tributary;
  return resolve(event);
}

const tributary = createTributary(server);

// In a form action or endpoint:
//   locals.tributary.queue.goal({ service_visitor_id: locals.visitor, name: 'signup' });
//   await locals.tributary.payment({
//     service_visitor_id: locals.visitor, amount_minor: 2999, currency: 'EUR', transaction_id: charge.id,
//   });
