import type { Tributary } from './tracker.d.ts';

// The whole script; ARCHITECTURE.md says what it promises. Its size is a promise too: words and
// order are chosen for how they compress, so measure what you change (test/build.test.ts).

type Texts = Record<string, string>;
type TrackerEvent = { readonly type: string; readonly url?: string } & Record<string, unknown>;

const { dataset: options, src } = document.currentScript as HTMLScriptElement;

let visitor: string | undefined;
let shown: string | undefined;
/** When the page was shown, or last reported, while it is visible. */
let visibleSince: number | undefined;
let visit: string | undefined;
/** How far down the page was read, in percent. */
let depth = 0;
/** What could not be sent, the oldest first: it goes along with the next event. */
let queue: object[] = [];
let store: Storage | undefined;

try {
  store = localStorage;
  queue = [...JSON.parse(store.tributary_queue)];
} catch {} // No storage, nothing in it, or something else: none of that is the page's business.

const cookieless =
  options.cookieless === 'gpc' ? navigator.globalPrivacyControl : 'cookieless' in options;

/** The attribute without which this page is not reported. */
const needed = navigator.webdriver
  ? 'allowAutomation'
  : self !== top
    ? 'allowIframe'
    : /localhost$|^127\.|^$/.test(location.hostname) && 'allowLocalhost';
const silent = (needed && !(needed in options)) || store?.tributary_ignore;

/** The id in a cookie; none if there is no such cookie, or something else in it. */
const find = (name: string) => RegExp(`\\b${name}=([\\w.:-]+)(;|$)`).exec(document.cookie)?.[1];

/** Whether a host is the same site's, with cookies of its own. */
const own = (host: string | undefined) =>
  !cookieless && options.domains?.split(',').includes(host as string);

const save = (events: object[]) => {
  queue = events;
  try {
    if (!cookieless) (store as Storage).tributary_queue = JSON.stringify(events);
  } catch {} // The storage is full: the queue lives as long as the page.
};

const goal = (element: Element, name: string | undefined) => {
  const metadata: Texts = {};
  for (const { name, value } of element.attributes) {
    name.replace(/data-goal-(.+)/, (_, key) => (metadata[key] = value));
  }
  send({ type: 'goal', name, metadata });
};

/** The address without what names a place within the page. */
const page = () => location.href.split('hash' in options ? ' ' : '#')[0];

/**
 * A random UUID (version 4).
 *
 * - Why not `crypto.randomUUID`: pages without https do not have it.
 * - Source: W3C, File API, "generate a new blob URL": it ends with one.
 */
const uuid = () => URL.createObjectURL(new Blob()).slice(-36);

/**
 * Writes both cookies on the widest domain that the browser lets this page use: the registrable one.
 *
 * - Why by trying: the browser knows the public suffix list, and it does not fit in here. The time
 *   behind the visit's id tells the cookie just written from the one before.
 */
const keep = () => {
  const stamped = (visit as string) + Date.now();
  location.hostname.split('.').some((_, index, labels) => {
    const write = (name: string, value: string, maxAgeSeconds: number) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
      document.cookie =
        `${name}=${value};path=/;max-age=${maxAgeSeconds};samesite=lax;domain=${labels.slice(~index).join('.')}` +
        (location.protocol > 'http:' ? ';secure' : '');
    };
    write('service_visitor_id', visitor as string, 31_536_000);
    write('tributary_visit', stamped, 1800);
    return find('tributary_visit') === stamped;
  });
};

/** Reports the time for which the page was visible since that was last reported. */
const leave = () => {
  if (visibleSince) {
    send({
      type: 'engagement',
      url: shown as string,
      engagement_ms: Date.now() - visibleSince,
      scroll_depth: depth,
    });
  }
  visibleSince = 0;
};

/**
 * Reports the page that is shown, unless it is reported already.
 *
 * - Why not while it is hidden: prerendered and background pages may never be shown.
 */
const show = () => {
  if (document.hidden) return hide();
  if (page() !== shown) {
    leave();
    send({ type: 'pageview', referrer: shown || document.referrer });
    shown = page();
    depth = 0;
  }
  visibleSince ||= Date.now();
};

const hide = () => {
  measure();
  leave();
};

const act = ({ target, button }: MouseEvent) => {
  if (button > 1) return; // The right button opens a menu; the middle one follows a link.
  measure();
  const element = (target as Element).closest<HTMLElement>('[data-goal]');
  const link = (target as Element).closest<HTMLAnchorElement>('a[href]');
  if (element) goal(element, element.dataset.goal);
  if (!link?.host) return;
  const { href, host } = link;
  let extra: string | false =
    /\/buy.stripe.com(?!.*client_ref)/.test(href) && `client_reference_id=${visitor}`;
  let deed: string | false =
    /\.(pdf|zip|dmg|exe|docx?|xlsx?|pptx?)$/i.test(link.pathname) && 'download';
  if (host !== location.host) {
    if (own(host)) extra = `tributary=${visitor}~${visit}${Date.now()}`;
    else deed ||= 'outbound';
  }
  if (deed) send({ type: deed, target: href });
  if (visitor && extra) {
    link.search += `&${extra}`;
    setTimeout(() => {
      link.href = href; // Followed by now; the page finds its link as it was.
    });
  }
};

const send = async (event: TrackerEvent) => {
  if (silent) return;
  if (!cookieless) {
    const open = find('tributary_visit')?.slice(0, 36);
    // Time spent with a page (it names its page) opens no visit, however long ago the last one was.
    if (open || !event.url) {
      visitor = find('service_visitor_id') || visitor || uuid();
      visit = open || (!document.cookie && visit) || uuid7();
      keep();
    }
  }
  event = {
    event_id: uuid7(),
    url: page() as string,
    title: document.title,
    visit_id: visit,
    service_visitor_id: visitor,
    automation: navigator.webdriver,
    screen_width: screen.width,
    site: options.site,
    ...event,
  };
  const late = queue.map((event) => ({ ...event, sent_at: Date.now(), retry: true }));
  try {
    // Text goes without a preflight request; keepalive lets it outlive the page; a server that is
    // silent gives the connection back.
    const answer = await fetch(new URL('../api/v1/events', src), {
      method: 'POST',
      body: JSON.stringify({ events: [...late, event] }),
      keepalive: true,
      signal: AbortSignal.timeout?.(9000),
    });
    if (!answer.ok) throw 0;
    if (cookieless) {
      visitor = tributary.visitor = (await answer.json()).service_visitor_id;
    }
    late[0] && save([]);
  } catch {
    save([...queue, event].slice(-20));
  }
};

/** Notes how much of the page was seen, and reports the scroll goals that came into view. */
const measure = () => {
  depth = Math.max(depth, ((scrollY + innerHeight) / document.body.scrollHeight) * 100);
  for (const element of document.querySelectorAll<HTMLElement>('[data-scroll-goal]')) {
    const { top } = element.getBoundingClientRect();
    if (top && top < innerHeight) {
      goal(element, element.dataset.scrollGoal);
      delete element.dataset.scrollGoal;
    }
  }
};

/** A UUID that begins with the time (version 7). Source: RFC 9562, section 5.7. */
const uuid7 = () =>
  // biome-ignore lint/style/useTemplate: the template is larger.
  (2 ** 48 + Date.now()).toString(16).replace(/.(.{8})/, '$1-') + '-7' + uuid().slice(15);

// Whoever follows a link does so at once; an address that is passed on later carries nobody.
location.search.replace(/&tributary=(.+)~(.{36})(\d+)/, ((
  found: string,
  id: string,
  visitId: string,
  sentAt: number,
) => {
  if (Date.now() - sentAt < 60_000 && own(document.referrer.split('/')[2])) {
    visitor = id;
    visit = visitId;
    keep();
  }
  history.replaceState(null, '', location.href.replace(found, ''));
}) as never);

for (const method of ['pushState', 'replaceState'] as const) {
  const original = history[method];
  history[method] = (...change) => {
    measure();
    original.apply(history, change);
    setTimeout(show); // Applications push an address and replace it at once, and set the title after.
  };
}
addEventListener('pagehide', () => {
  hide();
  shown += ' '; // A page that the back-forward cache brings back is shown once more.
});
addEventListener('popstate', show);
addEventListener('auxclick', act, true);
addEventListener('scroll', measure);
addEventListener('click', act, true);
addEventListener('online', hide);
addEventListener('visibilitychange', show);

const said = window.tributary?.q ?? [];
window.tributary = ((type: string, subject: object, metadata?: Texts) =>
  send(type === 'goal' ? { type, name: subject, metadata } : { type, ...subject })) as never;
show();
for (const command of said)
  (window.tributary as Tributary)(...(command as never as ['goal', string]));
