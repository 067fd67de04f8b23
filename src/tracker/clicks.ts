import { cookieDomain, visitId, visitorId } from './ids.ts';
import { report } from './page.ts';
import { isCookieless, options } from './tag.ts';

/** A link, a form, or any other element on the path of a click. */
type Clicked = HTMLElement & { readonly action?: unknown; readonly href?: unknown };

/** Whether a host is the other one or a subdomain of it. */
const isWithin = (host: string | undefined, other: string | undefined) =>
  `.${host}`.endsWith(`.${other}`);

/** Reports a link that leaves the site or downloads a file. Where cookies do not reach, it carries the ids. */
const follow = (link: Clicked) => {
  const target = toTarget(link);
  const url = new URL(target);
  let type = /\.(pdf|zip|dmg|exe|(doc|xls|ppt)x?)$/i.test(url.pathname) && 'download';
  let ids = /\/buy.stripe.com(?!.*client_ref)/.test(target) && `client_reference_id=${visitorId}`;
  if (!isWithin(url.hostname, cookieDomain || location.hostname)) {
    if (isLinked(url.host)) ids = `tributary=${visitorId}${visitId}${Date.now()}`;
    else if (!isWithin(url.hostname, options.site)) type ||= 'outbound';
  }
  if (type) report(type, { target });
  if (visitorId && ids) {
    url.search += `&${ids}`;
    link.setAttribute('href', url.href);
    setTimeout(() => link.setAttribute('href', target)); // Already followed.
  }
};

/** The address that a link leads to. In SVG it is in an object, as it is in images. */
const toTarget = ({ href, localName }: Clicked) =>
  ((localName === 'a' && (href as SVGAnimatedString)?.baseVal) || href) as string;

/** Reports an element's goal, with its properties. A form's fields hide its own, but not its attributes. */
const reportGoal = (element: Element, name: string | undefined) => {
  const metadata: Record<string, string | null> = {};
  for (const attribute of element.getAttributeNames()) {
    if (attribute.startsWith('data-goal-')) {
      metadata[attribute.slice(10)] = element.getAttribute(attribute);
    }
  }
  report('goal', { name, metadata });
};

/** Reports what a click or a submitted form means. The event's path crosses shadow roots. */
export const act = (event: MouseEvent) => {
  if (event.button > 1) return; // The right button opens a menu; the middle one follows a link.
  const path = event.composedPath() as Clicked[];
  const isSubmit = event.type === 'submit';
  // A form is an element with an action; it counts on submit, all others on click.
  const element = path.find(
    (each) => each.dataset?.goal != null && isSubmit === Boolean(each.action),
  );
  const link = path.find((each) => /^http/.test(toTarget(each)));
  if (element) reportGoal(element, element.dataset.goal);
  if (link) follow(link);
};

/** Whether a host is one of the site's that have cookies of their own. */
export const isLinked = (host: string | undefined) =>
  !isCookieless && options.domains?.split(',').some((each) => isWithin(host, each));

/** Reports the goals of elements that came into view, once each. */
export const reportSeen = () => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-scroll-goal]')) {
    const { y: top } = element.getBoundingClientRect(); // Hidden elements are at 0.
    if (top && top < innerHeight) {
      reportGoal(element, element.dataset.scrollGoal);
      delete element.dataset.scrollGoal;
    }
  }
};
