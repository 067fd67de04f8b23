import type { Step } from './event-draft.ts';

/**
 * Puts whether a bot did it. A bot's event is kept, so that the bots can be shown.
 *
 * - Why a server's own user agent does not count: it speaks for someone else's browser, or for none.
 */
export const putBot: Step = (draft, { enricher }) => {
  const { event, sender } = draft;
  if (event.webdriver === true) {
    draft.botClass = 'automation';
    draft.botReason = 'navigator.webdriver';
    return undefined;
  }
  const isTrusted = sender.trustedSiteId !== undefined;
  if (isTrusted && event.user_agent === undefined) return undefined;
  const verdict = enricher.findBot(isTrusted ? event.user_agent : sender.userAgent);
  draft.botClass = verdict.botClass;
  draft.botReason = verdict.reason;
  return undefined;
};
