/** How a page includes the script: the tag's attributes, and its other content. */
type TrackedPage = { readonly tag?: string; readonly body?: string };

const OWN_HOSTS = (port: string) => `shop.example:${port},tea.example:${port}`;

/** Pages by path; all other paths have the plain tag. */
const PAGES: Readonly<Record<string, (port: string) => TrackedPage>> = {
  '/acts': (port) => ({
    body: `
      <button data-goal="signup" data-goal-plan="pro" data-goal-seats="3"><b>Sign up</b></button>
      <form data-goal="contact" data-goal-from="footer" action="/next">
        <label>Name <input id="name" name="name" required></label> <button>Send</button>
      </form>
      <a id="out" href="http://elsewhere.example:${port}/there?a=1">Out</a>
      <a id="file" href="/missing/prices.PDF?v=2">Prices</a>
      <a data-goal="joined" href="/next">Join</a>
      <a id="near" href="/near">Near</a>
      <a id="pay" href="https://buy.stripe.com/abc">Pay</a>
      <a id="paid" href="https://buy.stripe.com/abc?client_reference_id=mine">Pay</a>
      <p style="height: 3000px">Long</p>
      <section data-scroll-goal="pricing_seen" data-goal-part="prices">Prices</section>
      <p data-scroll-goal="never_seen" style="display: none">Hidden</p>`,
  }),
  '/linked': (port) => ({
    tag: `data-domains="${OWN_HOSTS(port)}"`,
    body: `<a href="http://tea.example:${port}/linked?x=1">Tea</a>
      <a href="http://elsewhere.example:${port}/linked">Elsewhere</a>`,
  }),
  '/framing': () => ({ body: '<iframe src="/framed"></iframe><iframe src="/in-frame"></iframe>' }),
  '/in-frame': () => ({ tag: 'data-allow-iframe' }),
  '/cookieless': () => ({ tag: 'data-cookieless' }),
  '/gpc': () => ({ tag: 'data-cookieless="gpc"' }),
  '/hash': () => ({ tag: 'data-hash' }),
  '/hanging': () => ({ tag: 'data-hanging' }),
  '/blocked': () => ({
    tag: 'data-blocked',
    body: `<script>window.tributary = window.tributary ||
      function () { (tributary.q = tributary.q || []).push(arguments) };
      tributary('goal', 'early')</script>`,
  }),
};

/** Scripts that do not load. */
const SOURCES: Readonly<Record<string, string>> = {
  'data-blocked': '/missing/script.js',
  'data-hanging': '/hanging/script.js',
};

/** A path's HTML, with the same host's script. */
export function toTrackedPage(path: string, host: string): string {
  const port = host.split(':')[1] ?? '80';
  const { tag = '', body = '' } = PAGES[path.split('?')[0] ?? '']?.(port) ?? {};
  const head = `<!doctype html><title>Page ${path}</title><link rel="icon" href="data:,">`;
  if (path === '/module') {
    return `${head}<script type="module">import { start } from '/js/tracker.js';
      start({ site: 'shop.example', allowIframe: false })('goal', 'from_module');</script>`;
  }
  const src = SOURCES[tag] ?? '/js/script.js';
  return `${head}<script ${tag === 'data-hanging' ? 'async' : 'defer'} data-site="shop.example" ${tag} src="${src}"></script>${body}`;
}
