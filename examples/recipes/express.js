import { Readable } from 'node:stream';
import { forward } from '@tributary/proxy';
import { createTributary, visitorFrom } from '@tributary/server';

/** By `TRIBUTARY_URL` and `TRIBUTARY_KEY`. */
export const tributary = createTributary();

/**
 * Serves the script and takes its events on your own domain: `app.all('/t.js', serveScript)`, before any body parser. The page
 * loads it by `<script async data-site="example.com" src="/t.js"></script>`.
 */
export async function serveScript(request, response) {
  const { method, headers, socket } = request;
  const body = method === 'POST' ? Readable.toWeb(request) : undefined;
  const asked = new Request('http://localhost/t.js', { method, headers, body, duplex: 'half' });
  const answer = await forward(asked, { peer: socket.remoteAddress });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** `app.post('/signup', signUp)`: a goal, which nobody waits for. */
export function signUp(request, response) {
  tributary.queue.goal({ service_visitor_id: visitorFrom(request), name: 'signup' });
  response.redirect(303, '/welcome');
}

/** A payment that your shop takes itself. Connected payment providers need none of this. */
export function reportPayment(request, charge) {
  return tributary.payment({
    service_visitor_id: visitorFrom(request),
    amount_minor: charge.amount,
    currency: charge.currency,
    transaction_id: charge.id,
  });
}
