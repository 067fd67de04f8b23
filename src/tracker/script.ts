// Starts the script; ARCHITECTURE.md says what it promises.

import { act, isLinked, reportSeen } from './clicks.ts';
import { keepIds } from './ids.ts';
import { commands, leave, measure, moved, report, reportTime, show, tick, url } from './page.ts';
import { isIgnored } from './queue.ts';
import { attempt, isCookieless, isSet, options } from './tag.ts';

/** Whether this page is not to be reported. */
const isSilent =
  isIgnored ||
  (self !== top && !isSet('allowIframe')) ||
  (/localhost$|^(127\.|\[|$)/.test(location.hostname) && !isSet('allowLocalhost')) ||
  (navigator.webdriver && !isSet('allowAutomation'));

/** What happens in the page, and what the script then does. */
const listeners: Readonly<Record<string, (event: MouseEvent) => void>> = {
  submit: act,
  auxclick: act,
  scroll: reportSeen,
  click: act,
  pagehide: leave,
  online: reportTime, // With the events that wait.
  visibilitychange: show,
};

/** Continues as the visitor whose ids a link carries. Links are followed at once: one that is shared carries nobody. */
const takeIds = () => {
  const [carried, visitorId, visitId, sentAt] =
    location.search.match(/&?tributary=([\w.:-]+)(.{36})(\d{13})/) ?? [];
  if (!carried) return;
  const isFresh = Date.now() - Number(sentAt) < 60_000;
  if (isFresh && isLinked(document.referrer.split('/')[2])) keepIds(visitorId, visitId);
  history.replaceState(history.state, '', location.href.replace(carried, ''));
};

const listen = (event: Event) =>
  attempt(() => {
    measure();
    show();
    listeners[event.type]?.(event as MouseEvent);
  });

/** Numbers and truth values become texts. The server refuses, and explains, what else is none. */
const toTexts = (given: unknown) =>
  given &&
  JSON.parse(
    JSON.stringify(given, (_, value) => (/^[bn]/.test(typeof value) ? `${value}` : value)),
  );

window.tributary = (verb: string, subject?: unknown, metadata?: unknown) => {
  try {
    if (!url) commands.push([verb, subject, metadata]);
    else if (verb === 'goal') report(verb, { name: subject, metadata: toTexts(metadata) });
    else if (verb !== 'reset') report(verb, toTexts(subject));
    else if (!isCookieless) keepIds();
  } catch (error) {
    console.warn(error); // It cannot be sent as JSON.
  }
};

if (!isSilent) {
  tributary.site = options.site;
  for (const type in listeners) addEventListener(type, listen, true);
  window.navigation?.addEventListener('currententrychange', moved);
  takeIds();
  show();
  setInterval(tick, 1_000);
}
