import { randomBytes, randomUUID } from 'node:crypto';
import { OWN_VISITS_PARAM, type OwnVisitsLink } from '#domain/site/own-visits.ts';

/** Begins the visitor id of a browser that is left out. It lies in the site's cookie, as any other. */
const LEFT_OUT = 'own-visits-';
const OPEN_MS = 10 * 60_000;
const LINKS_MAX = 1_000;

type OpenLink = OwnVisitsLink & { readonly endsAt: number; state: OwnVisitsLink['state'] };

/** What a page reports, as sent. */
type SentPage = {
  readonly url?: unknown;
  readonly service_visitor_id?: unknown;
  readonly visit_id?: unknown;
};

/** The open links by which users leave their own browsers out of the figures. They are lost with the process. */
export interface OwnVisitsLinks {
  /** Opens a link for ten minutes. */
  open(siteId: string, isExcluded: boolean): OwnVisitsLink;
  find(siteId: string, id: string): OwnVisitsLink | undefined;
  /** Whether an event of this visitor, on this page, is one to leave out. */
  isLeftOut(visitorId: string, page: URL | undefined, siteId: string): boolean;
  /** Follows the link that a page was opened by, if any. Returns the id that its browser uses from now on. */
  follow(page: SentPage): string | undefined;
}

/** Creates a list of open links. */
export function createOwnVisits(now: () => number): OwnVisitsLinks {
  const links = new Map<string, OpenLink>();
  const findOpen = (id: string | null | undefined) => {
    const link = links.get(id ?? '');
    return link !== undefined && link.endsAt > now() ? link : undefined;
  };
  // Of the pages of all visitors, nearly none has the parameter.
  const ofPage = (url = '') =>
    url.includes(OWN_VISITS_PARAM)
      ? findOpen(URL.parse(url)?.searchParams.get(OWN_VISITS_PARAM))
      : undefined;
  return {
    open(siteId, isExcluded) {
      const [oldest] = links.keys();
      if (oldest !== undefined && links.size >= LINKS_MAX) links.delete(oldest);
      const id = randomBytes(18).toString('base64url');
      const link: OpenLink = { id, siteId, isExcluded, endsAt: now() + OPEN_MS, state: 'waiting' };
      links.set(id, link);
      return link;
    },
    find(siteId, id) {
      const link = findOpen(id);
      return link?.siteId === siteId ? link : undefined;
    },
    isLeftOut(visitorId, page, siteId) {
      if (visitorId.startsWith(LEFT_OUT)) return true;
      const link = ofPage(page?.href);
      return link?.siteId === siteId && link.isExcluded;
    },
    follow({ url, service_visitor_id: visitorId, visit_id: visitId }) {
      const link = typeof url === 'string' ? ofPage(url) : undefined;
      if (link === undefined) return undefined;
      link.state = visitId === undefined ? 'cookieless' : 'done';
      const isAlready = String(visitorId).startsWith(LEFT_OUT) === link.isExcluded;
      if (visitId === undefined || isAlready) return undefined;
      return (link.isExcluded ? LEFT_OUT : '') + randomUUID();
    },
  };
}
