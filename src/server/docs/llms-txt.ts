import { PROGRAM } from '#contract/program.ts';
import { toGoalLine, toPaymentLine } from '#contract/sites/install-lines.ts';
import { toServerUrl } from '../requests/server-url.ts';
import type { Server } from '../server-type.ts';

/**
 * `GET /llms.txt`: how an assistant adds Tributary to a site, with this server's address.
 *
 * - Source: llmstxt.org.
 */
export function addLlmsTxt(server: Server, baseUrl: string | undefined): void {
  server.get('/llms.txt', { schema: { hide: true } }, (request, reply) =>
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .send(toLlmsTxt(toServerUrl(request, baseUrl))),
  );
}

function toLlmsTxt(url: string): string {
  return `# Tributary

> Web analytics that follows revenue to its source. Pages load a script; the backend reports goals and payments with the visitor's id; reports credit the money to sources and campaigns. This server is ${url}.

## Add it to a site

1. Put the script into the <head> of every page, once. DOMAIN is the site's domain as it was added to Tributary:

   <script async data-site="DOMAIN" src="${url}/js/script.js"></script>

   The site has a path of its own that blockers do not know: the dashboard's first steps and GET ${url}/api/v1/install name it. Single-page applications need nothing more. Pages on localhost count only with data-allow-localhost.

2. The script sets the first-party cookie service_visitor_id. The backend reads it from the request and sends it along. Never make up a visitor's id, and never send the same one for everybody.

3. Report goals, such as a sign-up, from the backend where they happen:

${indent(toGoalLine(url))}

4. Report each payment once it is paid, under the payment provider's own id. The same id again counts once, so retries are safe:

${indent(toPaymentLine(url, 'USD'))}

   A webhook has no cookies: put service_visitor_id into the checkout's metadata, and read it back there. Send customer_id and email too, "renewal": true for recurring charges, and "refunded": true for refunds. If the payment provider is connected in Tributary (Stripe, Paddle, Polar and others), report no payments: only put service_visitor_id into the checkout's metadata.

5. When a customer signs in, POST ${url}/api/v1/identify with service_visitor_id and user_id, so that their devices become one person.

Rules: the key (TRIBUTARY_KEY) belongs to the backend's environment, never into pages or the repository. Send it as "Authorization: Bearer". A failed report must not fail the request that it is about: catch it, and retry on 429 and 5xx.

## Check it

- GET ${url}/api/v1/install with a key that has the scope stats:read says what arrives, and gives the line to add for what does not.
- On the server: ${PROGRAM} verify-install DOMAIN.

## Reference

- [API](${url}/docs): every endpoint, with examples
- [OpenAPI](${url}/openapi.json): the same for machines
- [MCP](${url}/mcp): the Model Context Protocol over streamable HTTP, with a key as bearer token: query, compare_attribution, explain_payment, verify_install and others
`;
}

function indent(lines: string): string {
  return lines.replaceAll(/^/gm, '   ');
}
