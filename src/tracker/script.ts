import type { TrackerEvent } from './event.ts';
import { isLocalPage } from './is-local-page.ts';
import { recallVisit, recallVisitor } from './visitor.ts';
import { watchPages } from './watch-pages.ts';

/** What a page may say: `tributary('goal', 'signup', { plan: 'pro' })`. */
type Command = [verb: 'goal', name: string, metadata?: Record<string, string>];

declare global {
  interface Window {
    /** `q` holds what a page said before the script was there. */
    tributary?: ((...command: Command) => void) & { q?: ArrayLike<unknown>[] };
  }
}

const script = document.currentScript as HTMLScriptElement;

/** Beside the script, so that a proxy of the site's own needs to pass on one folder only. */
const endpoint = new URL('../api/v1/events', script.src);
const isSilent = isLocalPage() && script.dataset.allowLocalhost === undefined;

function send(event: TrackerEvent): void {
  if (isSilent) return;
  const body = JSON.stringify({
    site: script.dataset.site || location.hostname,
    url: location.href,
    service_visitor_id: recallVisitor(),
    visit_id: recallVisit(),
    sent_at: Date.now(),
    title: document.title,
    screen_width: screen.width,
    language: navigator.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    webdriver: navigator.webdriver,
    ...event,
  });
  // Text goes without a preflight request; keepalive lets it outlive the page; a server that is
  // slow, blocked or gone is none of the page's business.
  fetch(endpoint, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => {});
}

function tributary(...[verb, name, metadata]: Command): void {
  if (verb === 'goal') send({ type: 'goal', name, metadata });
}

const saidBefore = window.tributary?.q ?? [];
window.tributary = tributary;
watchPages((referrer) => send({ type: 'pageview', referrer }));
for (const command of saidBefore) tributary(...(Array.from(command) as Command));
