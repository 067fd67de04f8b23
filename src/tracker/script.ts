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
/** The shown page's title, read when it was shown: applications set the next one early. */
let title: string | undefined;
// biome-ignore lint/correctness/noUnusedVariables: whether the hint is printed; `||=` reads it.
let hinted: unknown;
/** Where unsent events wait; in memory if the browser stores nothing. */
let store: Texts | Storage = {};

try {
  store = localStorage ?? store; // Web views may have none.
} catch {}

/** Whether a host belongs to the same site, with its own cookies. */
const own = (host: string | undefined) =>
  !cookieless && options.domains?.split(',').includes(host as string);

/** Before a page changes: applications push, replace immediately, and set the title later. */
const measure = () => {
  depth = Math.max(depth, (100 * (scrollY + innerHeight)) / document.documentElement.scrollHeight);
  setTimeout(show);
};

/** Handles clicks and submitted forms; the path crosses shadow roots. */
const act = (event: MouseEvent) => {
  if (event.button > 1) return; // The right button opens a menu; the middle one follows a link.
  const path = event.composedPath() as (HTMLAnchorElement & HTMLFormElement)[];
  // A form is an element with an action; it counts on submit, all others on click.
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
        link.href = href; // Already followed; the page gets its link back unchanged.
      });
    }
  }
};

/**
 * Writes the cookies on the widest domain that the browser allows for this page: the registrable one.
 *
 * - Why by trying: the browser knows the public suffix list, which is too large for this script. The time after the
 *   visit's id tells the new cookie from the previous one.
 * - Why not the visitor's when leaving a page: a script's cookie, which Safari keeps for a week, would replace the
 *   one set by the pageview's response.
 */
const keep = (isLeaving?: unknown, id?: string, visitId?: string | false) => {
  visitor = id || uuid();
  visit = visitId || uuid7();
  const stamped = visit + Date.now();
  location.hostname.split('.').some((_, index, labels) => {
    const write = (cookie: string) => {
      // On https the protocol has a sixth character; otherwise this writes a word that is no attribute.
      document.cookie = `${cookie};samesite=lax;${location.protocol[5] && 'secure'};domain=${labels.slice(~index).join('.')};path=/`;
    };
    if (!isLeaving) write(`service_visitor_id=${visitor};max-age=31536000`);
    write(`tributary_visit=${stamped};max-age=1800`);
    return document.cookie.match(stamped);
  });
};

const cookieless =
  options.cookieless === 'gpc' ? navigator.globalPrivacyControl : 'cookieless' in options;

/** The address without its position within the page. */
const page = () => ('hash' in options ? location.href : location.href.split('#')[0]);

/** Reports how long the page was visible since the last report. */
const leave = () => {
  if (visibleSince) {
    send('engagement', {
      scroll_depth: depth,
      engagement_ms: Date.now() - visibleSince,
      url: shown,
    });
  }
  visibleSince = 0;
};

const send = async (type: string, subject: Subject, metadata?: Texts) => {
  let text: string | undefined;
  const late = waiting();
  try {
    if (!cookieless) {
      if (type > 'r') return keep(); // Only `reset` is; pages report no `scroll`.
      const open = document.cookie.match(/tributary_visit=([\w-]{36})\d/)?.[1];
      // Time spent on a page (it names its page) opens no visit, however old the last one is.
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
    if (answer.status > 407) throw 0; // A timeout, or a limit or fault that will pass.
    store.tributary_queue = waiting().replace(late, ''); // Refused events stay refused.
    text = 0 as never; // Recorded: nothing to keep, even if the response is not JSON.
    const verdict: { service_visitor_id?: string; hint?: string } = await answer.json();
    const id = verdict.service_visitor_id;
    hinted ||= verdict.hint && !(console.warn as (text: string) => unknown)(verdict.hint);
    if (cookieless) visitor = tributary.visitor = id;
    else if (id) keep(0, id); // The previous visitor has another user id.
  } catch {
    try {
      text = `${waiting()}{"retry":true,${(text as string).slice(1)},`;
      if (text.length < 2e4) store.tributary_queue = text;
    } catch {} // Unserialisable events are not sent; without storage, events are lost.
  }
};

/** A UUID that starts with the time (version 7). Source: RFC 9562, section 5.7. */
const uuid7 = () => `0${Date.now().toString(16).replace(/.{7}/, '$&-')}-7` + uuid().slice(15);

/** Waiting events, including other tabs': oldest first, each followed by a comma. */
const waiting = (): string => store.tributary_queue || '';

/** A random UUID (version 4), even without https. Source: File API, "generate a new blob URL". */
const uuid = () => URL.createObjectURL(new Blob()).slice(-36);

/** Reports the shown page, unless already reported, and queued commands. */
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

/** Commands from before the page was shown. */
const said = (window.tributary?.q || []) as Command[];

window.tributary = (...command: Command) => {
  shown ? send(...(command as Known)) : said.push(command);
};

// Such pages are not reported: the build wraps everything in `try`.
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
    shown += ' '; // A page restored by the back-forward cache is shown again.
  },
  visibilitychange: () => (show as (_: undefined) => void)(measure() as undefined),
  submit: act,
  popstate: measure,
};
for (const type in listeners) {
  addEventListener(type, listeners[type as 'click'] as EventListener, true);
}

// Links are followed at once; an address shared later carries no visitor.
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
