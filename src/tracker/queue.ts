import { becomeVisitor } from './ids.ts';
import { attempt, isCookieless, src } from './tag.ts';

type Answer = { readonly service_visitor_id?: string; readonly hint?: string };

/** Whether this browser is to be ignored. */
export let isIgnored: string | undefined;

/** Where unsent events wait; in memory if the browser stores nothing. */
let store: Storage | Record<string, string> = {};
attempt(() => {
  isIgnored = localStorage.tributary_ignore;
  if (!isCookieless) store = localStorage;
});

let isHinted: unknown;

/** Waiting events, including other tabs': oldest first, each followed by a comma. */
const waiting = () => store.tributary_queue ?? '';

/** Sends an event, after those that wait. Text needs no preflight; `keepalive` outlives the page. */
export const post = (event: string) => {
  const late = waiting();
  fetch(src, { method: 'POST', keepalive: true, body: `{"events":[${late}${event}]}` })
    .then((response) => {
      if (response.status >= 408) throw 0; // A timeout, or a limit or fault that will pass.
      store.tributary_queue = waiting().replace(late, ''); // Refused events stay refused.
      return response;
    })
    .catch(() => {
      const events = `${waiting()}{"retry":true,${event.slice(1)},`;
      if (events.length < 20_000) store.tributary_queue = events;
    })
    .then((response) => response?.json())
    .then(({ service_visitor_id: id, hint }: Answer) => {
      if (hint && !isHinted) console.warn(hint);
      isHinted ||= hint;
      becomeVisitor(id);
    })
    .catch(() => {}); // The event is recorded or waits, whatever the response holds.
};
