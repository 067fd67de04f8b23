// src/pages/t.js.ts
import { forward } from '@tributary/proxy';
import { createTributary, visitorFrom } from '@tributary/server';

/** This route needs a server: Astro with an adapter. */
export const prerender = false;

type Asked = { readonly request: Request; readonly clientAddress: string };

/**
 * Serves the script and takes its events on your own domain: in the layout,
 * `<script is:inline async data-site="example.com" src="/t.js"></script>`.
 */
export const ALL = ({ request, clientAddress }: Asked): Promise<Response> =>
  forward(request, { peer: clientAddress });

/** For your other endpoints and pages. */
export const tributary = createTributary();

// In an endpoint or an action:
//   const visitor = visitorFrom(request);
//   tributary.queue.goal({ service_visitor_id: visitor, name: 'signup' });
//   await tributary.payment({
//     service_visitor_id: visitor, amount_minor: 2999, currency: 'EUR', transaction_id: charge.id,
//   });
export { visitorFrom };
