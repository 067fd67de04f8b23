import type { IncomingMessage } from 'node:http';

/** Where Tributary answers, and the key of a site that may write goals, payments and events. */
export type TributarySettings = { readonly url: string; readonly key: string };

/** A payment as the shop tells it; the amount is in units of the currency. */
export type PaymentReport = {
  readonly amount: number;
  readonly currency: string;
  readonly transaction_id: string;
  readonly service_visitor_id?: string | undefined;
  readonly email?: string;
  readonly refunded?: boolean;
};

/** What a shop's backend says to Tributary. None of it ever fails the customer. */
export interface Tributary {
  reportGoal(visitorId: string, name: string, metadata: Record<string, string>): Promise<void>;
  /** Who the visitor is: payments of the same address are credited to all visits of this person. */
  identify(visitorId: string, userId: string, email: string): Promise<void>;
  reportPayment(payment: PaymentReport): Promise<void>;
}

/** The two endpoints of Tributary, as a backend calls them. */
export function connectTributary({ url, key }: TributarySettings): Tributary {
  const post = async (path: string, body: object) => {
    try {
      const response = await fetch(new URL(path, url), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(5_000),
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    } catch (reason) {
      console.error(`Tributary did not take ${path}:`, reason);
    }
  };
  return {
    reportGoal: (visitorId, name, metadata) =>
      post('/api/v1/goals', { service_visitor_id: visitorId, name, metadata }),
    identify: (visitorId, userId, email) =>
      post('/api/v1/identify', { service_visitor_id: visitorId, user_id: userId, email }),
    reportPayment: (payment) => post('/api/v1/payments', payment),
  };
}

/** The visitor's id from the cookie that the script keeps; none if the script was blocked. */
export function findVisitorId(request: IncomingMessage): string | undefined {
  return /(?:^|; )service_visitor_id=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
}
