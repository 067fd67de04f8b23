import type { Choice } from './chance.ts';

/** How somebody comes to the shop. */
export type Origin = {
  readonly name: string;
  readonly referrer: string;
  /** Query string of the address, without the question mark. */
  readonly tags: string;
  /** How readily its visitors buy, relative to the average. */
  readonly readiness: number;
  /** Path of the first page; the front page when it is left out. */
  readonly entry?: string;
};

/** Something for sale. Prices in cents, as all money here. */
export type Product = { readonly path: string; readonly name: string; readonly priceMinor: number };

/** The demo's domain: reserved, so that it is nobody's. */
export const DOMAIN = 'demo.example';
/** What the shop is paid in. */
export const CURRENCY = 'EUR';
/** Where the shop is. */
export const TIMEZONE = 'Europe/Berlin';

const from = (
  name: string,
  referrer: string,
  readiness: number,
  more: { readonly tags?: string; readonly entry?: string } = {},
): Origin => ({ name, referrer, tags: '', readiness, ...more });

/** First visits. Shares and readiness are made up; paid search sells best, and news sites worst. */
export const ORIGINS: readonly Choice<Origin>[] = [
  [24, from('direct', '', 1)],
  [25, from('google', 'https://www.google.com/', 1.1)],
  [4, from('bing', 'https://www.bing.com/', 1)],
  [2, from('duckduckgo', 'https://duckduckgo.com/', 1)],
  [
    9,
    from('google-ads', 'https://www.google.com/', 2.1, {
      tags: 'utm_source=google&utm_medium=cpc&utm_campaign=loose-leaf&gclid=demo',
      entry: '/teas',
    }),
  ],
  [
    7,
    from('instagram-ads', 'https://l.instagram.com/', 0.8, {
      tags: 'utm_source=instagram&utm_medium=paid_social&utm_campaign=gift-box&fbclid=demo',
      entry: '/teas/gift-box',
    }),
  ],
  [
    5,
    from('newsletter', '', 1.9, {
      tags: 'utm_source=newsletter&utm_medium=email&utm_campaign=harvest',
      entry: '/teas/sencha',
    }),
  ],
  [5, from('chatgpt', 'https://chatgpt.com/', 1.6, { tags: 'utm_source=chatgpt.com' })],
  [4, from('reddit', 'https://www.reddit.com/', 0.6, { entry: '/blog/how-to-brew' })],
  [4, from('hacker-news', 'https://news.ycombinator.com/', 0.2, { entry: '/blog/how-to-brew' })],
  [3, from('youtube', 'https://www.youtube.com/', 0.7)],
  [3, from('pinterest', 'https://www.pinterest.com/', 0.7, { entry: '/teas/gift-box' })],
  [2, from('perplexity', 'https://www.perplexity.ai/', 1.4)],
  [1, from('claude', 'https://claude.ai/', 1.4)],
  [2, from('idealo', 'https://www.idealo.de/', 1.8, { entry: '/teas/kettle' })],
  [
    2,
    from('display', 'https://news.example/', 0.4, {
      tags: 'utm_source=adnet&utm_medium=display&utm_campaign=kettle',
    }),
  ],
  [2, from('facebook', 'https://m.facebook.com/', 0.7)],
  [2, from('tea-blog', 'https://www.steep-thoughts.example/best-teas', 1.5)],
  [1, from('partner', '', 1.7, { tags: 'ref=kettle-review' })],
];

/** How somebody comes back who came before; the first origin again is left to the story. */
export const RETURNS: readonly Choice<Origin | 'as-before'>[] = [
  [50, from('direct', '', 1)],
  [25, 'as-before'],
  [15, from('google', 'https://www.google.com/', 1.1)],
  [
    10,
    from('newsletter', '', 1.9, {
      tags: 'utm_source=newsletter&utm_medium=email&utm_campaign=weekly',
      entry: '/teas',
    }),
  ],
];

/** What the shop sells, and how often each. */
export const PRODUCTS: readonly Choice<Product>[] = [
  [30, { path: '/teas/assam', name: 'Assam 250 g', priceMinor: 1_490 }],
  [22, { path: '/teas/sencha', name: 'Sencha 100 g', priceMinor: 1_850 }],
  [25, { path: '/teas/earl-grey', name: 'Earl Grey 200 g', priceMinor: 1_190 }],
  [13, { path: '/teas/kettle', name: 'Enamelled kettle', priceMinor: 2_999 }],
  [10, { path: '/teas/gift-box', name: 'Gift box', priceMinor: 4_900 }],
];

/** The subscription: a box of tea every month. */
export const CLUB: Product = { path: '/club', name: 'Tea club', priceMinor: 1_200 };
/** The same with more in the box. */
export const LARGE_CLUB: Product = {
  path: '/club',
  name: 'Tea club, large box',
  priceMinor: 1_900,
};

/** What visitors look at while they browse. */
export const PAGES: readonly Choice<string>[] = [
  [20, '/'],
  [26, '/teas'],
  [10, '/teas/assam'],
  [8, '/teas/sencha'],
  [8, '/teas/earl-grey'],
  [5, '/teas/kettle'],
  [4, '/teas/gift-box'],
  [7, '/club'],
  [8, '/blog/how-to-brew'],
  [4, '/about'],
];

/** How busy each hour of the day is, in UTC, from midnight on. */
export const HOURS: readonly number[] = [
  3, 2, 1, 1, 2, 4, 8, 13, 17, 19, 20, 20, 21, 21, 20, 19, 20, 22, 25, 28, 26, 19, 11, 6,
];

/** How busy each day of the week is, from Sunday on. */
export const WEEKDAYS: readonly number[] = [13, 15, 15, 14, 14, 12, 11];
