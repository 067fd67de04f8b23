import { attempt, isCookieless, isSet } from './tag.ts';

/** The visitor's id. In cookieless mode the server names it. */
export let visitorId: string | undefined;
/** The id of the visit, which begins with its start. */
export let visitId: string | undefined;
/** The domain that took the cookies, or "" for the host alone. Undefined if none did. */
export let cookieDomain: string | undefined;
/** A random UUID (version 4), even without https. Source: File API, "generate a new blob URL". */
const uuid = () => URL.createObjectURL(new Blob()).slice(-36);

/** Writes a cookie, if one is given, and reads all. Some pages have none. */
const touchCookies = (cookie?: string) =>
  attempt(() => {
    if (cookie) document.cookie = cookie;
    return document.cookie;
  }) ?? '';

/** A UUID that starts with the time (version 7). Source: RFC 9562, section 5.7. */
export const uuid7 = () =>
  `0${Date.now().toString(16).replace(/.{7}/, '$&-')}-7${uuid().slice(15)}`;

/**
 * Keeps ids in cookies, on the widest domain that the browser allows for this page. What is not given is new.
 *
 * - Why by trying: the browser knows the public suffix list, which is too large for this script. The time after the
 *   visit's id tells the new cookie from the previous one.
 * - Why not the visitor's when leaving a page: a script's cookie, which Safari keeps for a week, would replace the
 *   one set by the pageview's response.
 */
export const keepIds = (visitor?: string, visit?: string | false, isLeaving?: boolean) => {
  visitorId = visitor || uuid();
  visitId = visit || uuid7();
  const stamped = visitId + Date.now();
  cookieDomain = location.hostname
    .split('.')
    .map((_, index, labels) => (isSet('cookieHost') ? '' : labels.slice(-2 - index).join('.')))
    .find((domain) => {
      // An empty domain is the host alone, and "false" is no attribute.
      const where = `path=/;samesite=lax;domain=${domain};${location.protocol === 'https:' && 'secure'}`;
      return (
        domain === (cookieDomain ?? domain) &&
        touchCookies(`tributary_visit=${stamped};max-age=1800;${where}`).includes(stamped) &&
        (isLeaving || touchCookies(`service_visitor_id=${visitorId};max-age=31536000;${where}`))
      );
    });
};

/** Continues the open visit, or begins one. Time spent on a page begins none, however old the last one is. */
export const continueVisit = (isLeaving: boolean) => {
  const cookies = touchCookies();
  const open = cookies.match(/tributary_visit=([\w-]{36})\d/)?.[1];
  if (open || !isLeaving) {
    keepIds(
      cookies.match(/(^| )service_visitor_id=([\w.:-]+)(;|$)/)?.[2] ?? visitorId,
      // Where no cookie stays, the page itself remembers the visit.
      open || (cookieDomain == null && visitId),
      isLeaving,
    );
  }
};

/** Becomes the visitor that the server names: in cookieless mode its own, otherwise a new one after a conflict. */
export const becomeVisitor = (id: string | undefined) => {
  if (isCookieless) visitorId = tributary.visitor = id;
  else if (id) keepIds(id);
};
