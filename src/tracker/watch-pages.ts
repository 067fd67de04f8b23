/**
 * Reports each page that is shown, with its referrer: the first, and those that a single-page
 * application moves to; again when the browser brings a page back whole.
 *
 * - Why a page waits until it is visible: prerendered and background pages may never be shown.
 * - Why a change of the address waits for its task to end: applications push an address and replace
 *   it at once, and set the title after.
 * - Shape: a change of the hash or of nothing is no new page.
 */
export function watchPages(report: (referrer: string) => void): void {
  let shown = '';
  let referrer = document.referrer;

  const show = () => {
    if (document.visibilityState !== 'visible') return;
    const address = location.href.split('#', 1)[0] as string;
    if (address === shown) return;
    report(referrer);
    shown = referrer = address;
  };
  const showSoon = () => setTimeout(show);

  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method];
    history[method] = function (...change) {
      original.apply(this, change);
      showSoon();
    };
  }
  addEventListener('popstate', showSoon);
  document.addEventListener('visibilitychange', show);
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    shown = '';
    show();
  });
  show();
}
