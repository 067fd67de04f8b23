import { type ForwardOptions, forward } from '@tributary/proxy';
import { type AnyRequest, visitorFrom as readVisitor } from '@tributary/server';
import { headers } from 'next/headers.js';

export { createTributary, TributaryError } from '@tributary/server';

type RouteHandler = (request: Request) => Promise<Response>;

/**
 * The handlers of the route that serves the script and receives its events: in `app/t.js/route.ts`,
 * `export const { GET, POST } = tributaryProxy();`
 *
 * - Visitors keep their own addresses, and Safari keeps the cookie for a year, as the answer sets it.
 */
export function tributaryProxy(options: ForwardOptions = {}): {
  readonly GET: RouteHandler;
  readonly POST: RouteHandler;
} {
  const answer: RouteHandler = (request) => forward(request, options);
  return { GET: answer, POST: answer };
}

/**
 * The visitor's id, in route handlers, server actions and server components. Undefined if the script was blocked or has
 * not run yet.
 */
export async function visitorFrom(request?: AnyRequest): Promise<string | undefined> {
  return readVisitor(request ?? (await headers()));
}
