import { request } from 'node:http';
import { addSite, createKey } from './add-site.ts';

/** A server's answer; status 0 if the connection broke before one. */
export type Answer = { readonly status: number; readonly body: unknown };

/** A site's backend and browsers, as one. */
export interface Caller {
  readonly site: string;
  readonly key: string;
  pageview(visitorId: string, path?: string): Promise<Answer>;
  goal(visitorId: string, name: string, idempotencyKey?: string): Promise<Answer>;
  payment(payment: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Any other request of the site's backend. */
  post(path: string, body: unknown): Promise<Answer>;
  query(query: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** The same caller after the server's address changes. */
  at(url: string): Caller;
}

/** Adds a site and a key to a server's data, and calls it on their behalf. */
export async function addCaller(url: string, dataDir: string, site: string): Promise<Caller> {
  await addSite(dataDir, site);
  return callerOf(url, site, await createKey(dataDir, site));
}

/** A caller whose site and key already exist. */
export function callerOf(url: string, site: string, key: string): Caller {
  const authorization = `Bearer ${key}`;
  return {
    site,
    key,
    at: (other) => callerOf(other, site, key),
    pageview: (visitorId, path = '/') =>
      post(`${url}/api/v1/events`, {
        ...{ site, type: 'pageview', url: `https://${site}${path}` },
        service_visitor_id: visitorId,
      }),
    goal: (visitorId, name, idempotencyKey) =>
      post(
        `${url}/api/v1/goals`,
        { service_visitor_id: visitorId, name },
        { authorization, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
      ),
    payment: (payment) => post(`${url}/api/v1/payments`, payment, { authorization }),
    post: (path, body) => post(`${url}${path}`, body, { authorization }),
    query: (query) =>
      post(
        `${url}/api/v1/query`,
        { site_id: site, date_range: 'all', ...query },
        { authorization },
      ),
  };
}

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const ANSWER_MAX_MS = 60_000;

/** A new connection each time, so that the kernel picks among processes sharing a port. */
function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const broken = () => resolve({ status: 0, body: undefined });
    const asked = request(
      url,
      {
        method: 'POST',
        agent: false,
        timeout: ANSWER_MAX_MS,
        headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
        });
        response.on('error', broken);
      },
    );
    asked.on('error', broken);
    asked.on('timeout', () => asked.destroy());
    asked.end(JSON.stringify(body));
  });
}
