import { continueVisit, cookieDomain, uuid7, visitId, visitorId } from './ids.ts';
import { post } from './queue.ts';
import { isCookieless, isSet, options } from './tag.ts';

/** Commands from before a page was shown. */
export const commands: ArrayLike<unknown>[] = window.tributary?.q ?? [];

/** The address of the shown page, as reported; undefined until one is shown. */
export let url: string | undefined;
let page = ''; // What tells it from others. Empty once it is left.
let title: string; // When it was shown: applications set the next one early.
let depth = 0; // How far down it was read, in percent.
let visibleMs = 0; // Since the last report.

/** The address, without a position within the page, but with campaign tags in its place. */
const toAddress = () => location.href.replace(isSet('hash') ? '#' : /#.*?(?=utm_|$)/, '#');

/** The path, and what else the tag says that pages differ by. They never differ by campaign tags. */
const toPage = () =>
  location.href
    .replace(isSet('hash') ? '' : /#.*/, '')
    .replace(isSet('query') ? /[?&](utm_[^&#]*)?/g : /\?[^#]*/g, '');

/** Reports an event of the shown page. */
export const report = (type: string, details: Readonly<Record<string, unknown>>) => {
  if (!isCookieless) continueVisit(type === 'engagement');
  post(
    JSON.stringify({
      service_visitor_id: visitorId,
      visit_id: visitId,
      type,
      title,
      screen_width: screen.width,
      webdriver: navigator.webdriver,
      cookie_domain: cookieDomain,
      site: options.site,
      event_id: uuid7(),
      url: toAddress(),
      ...details,
    }),
  );
};

/** Notes how far down the page was read. */
export const measure = () => {
  depth = Math.max(depth, (100 * (scrollY + innerHeight)) / document.documentElement.scrollHeight);
};

/** Reports how long the page was visible since the last report. */
export const reportTime = () => {
  if (visibleMs) report('engagement', { url, scroll_depth: depth, engagement_ms: visibleMs });
  visibleMs = 0;
};

/** Reports the shown page, unless already reported, and the commands that wait for it. */
export const show = () => {
  if (document.hidden) return reportTime();
  if (toPage() !== page) {
    reportTime();
    page = toPage();
    title = document.title;
    report('pageview', { referrer: url ?? document.referrer });
    url = toAddress();
    depth = 0;
    visibleMs = 500; // Half a step.
  }
  for (const command of commands.splice(0)) tributary(...(command as [never, never]));
};

/** Before the page may change: applications push, replace immediately, and set the title later. */
export const moved = () => {
  measure();
  setTimeout(show);
};

/** As the page is left. The back-forward cache may show it again. */
export const leave = () => {
  reportTime();
  page = '';
};

/** Each second: counts time, which a sleeping computer does not, and finds pages that no event told of. */
export const tick = () => {
  if (!document.hidden) visibleMs += 1_000;
  show();
};
