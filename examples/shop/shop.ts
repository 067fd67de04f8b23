import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { HOME, KETTLES, SIGN_UP, toPage, toReceipt, WELCOME } from './pages.ts';
import { connectTributary, findVisitorId, type TributarySettings } from './tributary.ts';

const PRICE = { amount: 29.99, currency: 'EUR' } as const;

/** How the shop knows Tributary: the site is the shop's domain. */
export type ShopSettings = { readonly site: string; readonly tributary: TributarySettings };

type Action = (request: IncomingMessage, form: URLSearchParams) => Promise<string>;

/** A shop that sells one kettle, takes sign-ups, and tells Tributary of both. */
export function createShop({ site, tributary: settings }: ShopSettings): Server {
  const tributary = connectTributary(settings);
  const layout = { site, scriptUrl: new URL('/js/script.js', settings.url).href };
  const paid = new Set<string>();

  const pages: Record<string, (query: URLSearchParams) => string> = {
    '/': () => toPage(layout, 'Welcome', HOME),
    '/kettles': () => toPage(layout, 'Kettles', KETTLES),
    '/sign-up': () => toPage(layout, 'Sign up', SIGN_UP),
    '/welcome': () => toPage(layout, 'Hello', WELCOME),
    '/thanks': (query) => toPage(layout, 'Thanks', toReceipt(query.get('payment') ?? '')),
    '/refunded': () => toPage(layout, 'Refunded', '<p>Your money is on its way back.</p>'),
  };

  /** Each does its work, tells Tributary, and says where the customer goes next. */
  const actions: Record<string, Action> = {
    async '/sign-up'(request, form) {
      const visitorId = findVisitorId(request);
      if (visitorId !== undefined) {
        await tributary.reportGoal(visitorId, 'sign_up', { plan: form.get('plan') ?? '' });
        // A shop with accounts: await tributary.identify(visitorId, account.id, account.email);
      }
      return '/welcome';
    },

    async '/checkout'(request, form) {
      const transactionId = `kettle-${randomUUID()}`; // A payment provider would give it.
      paid.add(transactionId);
      await tributary.reportPayment({
        ...PRICE,
        transaction_id: transactionId,
        service_visitor_id: findVisitorId(request),
        email: form.get('email') ?? '',
      });
      return `/thanks?payment=${transactionId}`;
    },

    async '/refund'(_request, form) {
      const transactionId = form.get('transaction_id') ?? '';
      if (!paid.delete(transactionId)) return '/';
      await tributary.reportPayment({ ...PRICE, transaction_id: transactionId, refunded: true });
      return '/refunded';
    },
  };

  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    const page = pages[pathname];
    const action = actions[pathname];
    if (request.method === 'GET' && page) {
      return answer(response, 200, { 'content-type': 'text/html' }, page(searchParams));
    }
    if (request.method === 'POST' && action) {
      const next = await action(request, new URLSearchParams(await text(request)));
      return answer(response, 303, { location: next });
    }
    return answer(response, 404, { 'content-type': 'text/plain' }, 'There is no such page.');
  });
}

function answer(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body = '',
): void {
  response.writeHead(status, headers).end(body);
}
