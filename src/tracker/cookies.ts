const PROBE = 'tributary_probe';

/** Found with the first cookie of a page; see {@link findDomain}. */
let domain: string | undefined;

/** The value of a cookie that holds an id; none if there is no such cookie, or something else in it. */
export function findCookie(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([\\w.:-]{1,128})(?:;|$)`).exec(document.cookie)?.[1];
}

/** Keeps an id in a cookie for the given time, on the whole site with its subdomains. */
export function saveCookie(name: string, value: string, maxAgeSeconds: number): void {
  domain ??= findDomain();
  writeCookie(name, value, maxAgeSeconds, domain);
}

/**
 * The widest domain that the browser lets this page set cookies on: the registrable one.
 *
 * - Why by trying: the browser knows the public suffix list, and it does not fit in here.
 */
function findDomain(): string {
  const labels = location.hostname.split('.');
  for (let count = 2; count <= labels.length; count++) {
    const candidate = `;domain=${labels.slice(-count).join('.')}`;
    writeCookie(PROBE, '1', 9, candidate);
    if (findCookie(PROBE)) {
      writeCookie(PROBE, '', 0, candidate);
      return candidate;
    }
  }
  return '';
}

function writeCookie(name: string, value: string, maxAgeSeconds: number, scope: string): void {
  const secure = location.protocol === 'https:' ? ';secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${name}=${value};path=/;max-age=${maxAgeSeconds};samesite=lax${secure}${scope}`;
}
