// The whole script; ARCHITECTURE.md says what it promises. Its size is a promise too: words and
// order are chosen for how they compress, so measure what you change (test/build.test.ts).

import type { Command, Known, Subject, Texts } from './command.ts';

const { dataset: options, src } = document.currentScript as HTMLScriptElement;

let visit: string | undefined;
/** When the page was shown, or last reported, while it is visible. */
let visibleSince: number | undefined;
let shown: string | undefined;
/** How far down the page was read, in percent. */
let depth = 0;
let visitor: string | undefined;
/** Of the page that is shown, as it was when it was shown: applications set the next one's early. */
let title: string | undefined;
// biome-ignore lint/correctness/noUnusedVariables: whether the hint is printed; `||=` reads it.
let hinted: unknown;
/** Where waits what could not be sent; in memory where the browser keeps nothing. */
let store: Texts | Storage = {};

try {
  store = localStorage ?? store; // Apps that show pages may have none.
} catch {}

/** Whether a host is the same site's, with cookies of its own. */
const own = (host: string | undefined) =>
  !cookieless && options.domains?.split(',').includes(host as string);

/** Before a page changes: applications push, replace at once, and set the title after. */
const measure = () => {
  depth = Math.max(depth, (100 * (scrollY + innerHeight)) / document.documentElement.scrollHeight);
  setTimeout(show);
};

/** Clicks, and forms as they are sent; the path leads out of shadow trees too. */
const act = (event: MouseEvent) => {
  if (event.button > 1) return; // The right button opens a menu; the middle one follows a link.
  const path = event.composedPath() as (HTMLAnchorElement & HTMLFormElement)[];
  // A form is what has an action; it counts when it is sent, and all else when it is clicked.
  const element = path.find((each) => each.dataset?.goal && event.type < 's' === !each.action);
  const link = path.find((each) => /^http/.test(each.href));
  if (element) goal(element, element.dataset.goal);
  if (link) {
    const { href, host } = link;
    let extra: string | false =
      /\/buy.stripe.com(?!.*client_ref)/.test(href) && `client_reference_id=${visitor}`;
    let action: string | false =
      /\.(pdf|zip|dmg|exe|(doc|xls|ppt)x?)$/i.test(link.pathname) && 'download';
    if (host !== location.host) {
      if (own(host)) extra = `tributary=${visitor}${visit}${Date.now()}`;
      else action ||= 'outbound';
    }
    if (action) send(action, { target: href });
    if (visitor && extra) {
      link.search += `&${extra}`;
      setTimeout(() => {
        link.href = href; // Followed by now; the page finds its link as it was.
      });
    }
  }
};

/**
 * Writes the cookies on the widest domain that the browser lets this page use: the registrable one.
 *
 * - Why by trying: the browser knows the public suffix list, and it does not fit in here. The time
 *   behind the visit's id distinguishes the cookie just written from the one before.
 * - Why not the visitor's as the page is left: it would put a script's cookie, which Safari keeps for
 *   a week, in the place of the one that the answer to the pageview has set.
 */
const keep = (isLeaving?: unknown, id?: string, visitId?: string | false) => {
  visitor = id || uuid();
  visit = visitId || uuid7();
  const stamped = visit + Date.now();
  location.hostname.split('.').some((_, index, labels) => {
    const write = (cookie: string) => {
      // On https the protocol has a sixth character; without it stands a word that is no attribute.
      document.cookie = `${cookie};samesite=lax;${location.protocol[5] && 'secure'};domain=${labels.slice(~index).join('.')};path=/`;
    };
    if (!isLeaving) write(`service_visitor_id=${visitor};max-age=31536000`);
    write(`tributary_visit=${stamped};max-age=1800`);
    return document.cookie.match(stamped);
  });
};

const cookieless =
  options.cookieless === 'gpc' ? navigator.globalPrivacyControl : 'cookieless' in options;

/** The address without what names a place within the page. */
const page = () => ('hash' in options ? location.href : location.href.split('#')[0]);

/** Reports the time for which the page was visible since that was last reported. */
const leave = () => {
  if (visibleSince) {
    send('engagement', {
      scroll_depth: depth,
      engagement_ms: Date.now() - visibleSince,
      url: shown,
    });
  }
  visibleSince = 0;
}; // Nor has who blocks cookies: none of the page's business.

const send = async (type: string, subject: Subject, metadata?: Texts) => {
  let text: string | undefined;
  const late = waiting();
  try {
    if (!cookieless) {
      if (type > 'r') return keep(); // Only `reset` is; pages report no `scroll`.
      const open = document.cookie.match(/tributary_visit=([\w-]{36})\d/)?.[1];
      // Time spent with a page (it names its page) opens no visit, however long ago the last one was.
      if (open || !subject.url) {
        keep(
          subject.url,
          document.cookie.match(/(^| )service_visitor_id=([\w.:-]+)(;|$)/)?.[2] || visitor,
          open || (!document.cookie && visit),
        );
      }
    }
    text = JSON.stringify({
      service_visitor_id: visitor,
      screen_width: screen.width,
      visit_id: visit,
      title,
      event_id: uuid7(),
      webdriver: navigator.webdriver,
      site: options.site,
      type,
      url: page(),
      ...(subject.at ? { name: subject, metadata } : subject),
    });
    // Text needs no preflight; keepalive outlives the page.
    const answer = await fetch(src, {
      method: 'POST',
      keepalive: true,
      body: `{"events":[${late}${text}]}`,
    });
    if (answer.status > 407) throw 0; // It timed out, or limits and faults pass.
    store.tributary_queue = waiting().replace(late, ''); // What is refused stays so.
    text = 0 as never; // It is recorded: nothing to keep, even if the answer is no JSON.
    const verdict: { service_visitor_id?: string; hint?: string } = await answer.json();
    const id = verdict.service_visitor_id;
    hinted ||= verdict.hint && !(console.warn as (text: string) => unknown)(verdict.hint);
    if (cookieless) visitor = tributary.visitor = id;
    else if (id) keep(0, id); // Who it was before has another user id.
  } catch {
    try {
      text = `${waiting()}{"retry":true,${(text as string).slice(1)},`;
      if (text.length < 2e4) store.tributary_queue = text;
    } catch {} // What is no JSON is not sent; what the browser does not keep is lost.
  }
};

/** A UUID that begins with the time (version 7). Source: RFC 9562, section 5.7. */
const uuid7 = () => `0${Date.now().toString(16).replace(/.{7}/, '$&-')}-7` + uuid().slice(15);

/** The events that wait, of other tabs too: the oldest first, each with a comma behind it. */
const waiting = (): string => store.tributary_queue || '';

/** A random UUID (version 4), without https too. Source: File API, "generate a new blob URL". */
const uuid = () => URL.createObjectURL(new Blob()).slice(-36);

/** Reports the page that is shown, unless it is reported already, and what was said. */
const show = () => {
  if (document.hidden) {
    leave();
  } else {
    if (page() !== shown) {
      leave();
      title = document.title;
      send('pageview', { referrer: shown || document.referrer });
      shown = page();
      depth = 0;
    }
    visibleSince ||= Date.now();
    for (const command of said.splice(0)) send(...(command as Known));
  }
};

const goal = (element: Element, name: string | undefined) => {
  const metadata: Texts = {};
  for (const each of element.getAttributeNames()) {
    each.replace(/data-goal-(.+)/, (at, to) => (metadata[to] = element.getAttribute(at) as never));
  }
  send('goal', name as never, metadata);
};

/** What was said before the page was shown. */
const said = (window.tributary?.q || []) as Command[];

window.tributary = (...command: Command) => {
  shown ? send(...(command as Known)) : said.push(command);
};

// Such pages are not reported: the build puts `try` around it all.
if (
  (self !== top && options.allowIframe == null) ||
  (location.hostname.match(/localhost$|^(127\.|\[|$)/) && options.allowLocalhost == null) ||
  (navigator.webdriver && options.allowAutomation == null) ||
  store.tributary_ignore
) {
  throw 0;
}

if (cookieless) store = {};

const listeners = {
  scroll: () => {
    measure();
    for (const element of document.querySelectorAll<HTMLElement>('[data-scroll-goal]')) {
      const { y: top } = element.getBoundingClientRect();
      if (top && top < innerHeight) {
        goal(element, element.dataset.scrollGoal);
        delete element.dataset.scrollGoal;
      }
    }
  },
  online: () => (show as (_: undefined) => void)(leave() as undefined),
  auxclick: act,
  click: act,
  pageshow: show,
  pagehide: () => {
    measure();
    leave();
    shown += ' '; // A page that the back-forward cache brings back is shown once more.
  },
  visibilitychange: () => (show as (_: undefined) => void)(measure() as undefined),
  submit: act,
  popstate: measure,
};
for (const type in listeners) {
  addEventListener(type, listeners[type as 'click'] as EventListener, true);
}

// A link is followed at once; an address that is passed on later carries no visitor.
location.search.replace(/&?tributary=([\w.:-]+)(.{36})(\d{13})/, (found, id, visitId, sentAt) => {
  if (Date.now() - sentAt < 60_000 && own(document.referrer.split('/')[2])) keep(0, id, visitId);
  history.replaceState(0, '', location.href.replace(found, ''));
});

for (const method of ['replaceState', 'pushState'] as const) {
  const original = history[method];
  history[method] = (...change) => {
    measure();
    original.apply(history, change);
  };
}

show();
