import { addOwner, signIn } from './sign-in.ts';

/** A headless browser: it keeps cookies, and sends its origin as browsers do. */
export interface BrowserCalls {
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<Called>;
  /** Its cookies, as it would send them. */
  cookie(): string;
  setCookie(cookie: string): void;
}

/** The response. `setCookies` are as sent. */
export type Called = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is for the test to say.
  readonly body: any;
  readonly setCookies: readonly string[];
};

type Headers = Readonly<Record<string, string>>;

/** A browser on a page of the server. */
export function openBrowserCalls(url: string): BrowserCalls {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookie,
    setCookie(text) {
      jar.clear();
      for (const each of text.split('; '))
        jar.set(each.split('=', 1)[0] ?? '', each.split('=')[1] ?? '');
    },
    async call(method, path, body, headers = {}) {
      const answer = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          origin: url,
          'sec-fetch-site': 'same-origin',
          ...(jar.size > 0 && { cookie: cookie() }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const setCookies = answer.headers.getSetCookie();
      for (const each of setCookies) keep(jar, each);
      const text = await answer.text();
      return {
        status: answer.status,
        body: text === '' ? undefined : JSON.parse(text),
        setCookies,
      };
    },
  };
}

/** The first login of test servers. */
export const OWNER = { name: 'Anna', email: 'anna@example.com', password: 'correct horse battery' };

/** A browser whose person has used the setup link and is signed in. */
export async function beginAsOwner(server: {
  readonly url: string;
  readonly startUrl: string | undefined;
}): Promise<BrowserCalls> {
  const browser = openBrowserCalls(server.url);
  const token = server.startUrl?.split('#')[1] ?? '';
  const { status } = await browser.call('POST', '/api/start', { token, ...OWNER });
  if (status !== 200) throw new Error(`the owner could not begin: ${status}`);
  return browser;
}

/** A browser signed in as the owner of a shared server, in its own session. */
export async function signInAsOwner(server: {
  readonly url: string;
  readonly dataDir: string;
}): Promise<BrowserCalls> {
  await addOwner(server.dataDir, OWNER);
  const browser = openBrowserCalls(server.url);
  const { name, value } = await signIn(server.dataDir, OWNER.email);
  browser.setCookie(`${name}=${value}`);
  return browser;
}

function keep(jar: Map<string, string>, setCookie: string): void {
  const [pair = ''] = setCookie.split(';', 1);
  const at = pair.indexOf('=');
  if (/max-age=0/i.test(setCookie)) jar.delete(pair.slice(0, at));
  else jar.set(pair.slice(0, at), pair.slice(at + 1));
}
