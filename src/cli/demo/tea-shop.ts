import type { Weighted } from './chance.ts';

/** Where a visitor comes from. */
export type Origin = {
  readonly referrer: string;
  /** How likely its visitors are to buy, relative to the average. */
  readonly readiness: number;
  /** Path of the first page. */
  readonly entry: string;
  /** Query string of the URL, without the question mark. */
  readonly tags: string;
};

/** A product, with its price in cents. */
export type Product = { readonly path: string; readonly name: string; readonly priceMinor: number };

/** The shop's currency. */
export const CURRENCY = 'EUR';
/** The shop's time zone. */
export const TIMEZONE = 'Europe/Berlin';

const from = (referrer: string, readiness: number, entry = '/', tags = ''): Origin => ({
  ...{ referrer, readiness, entry, tags },
});
const utm = (source: string, medium: string, campaign: string) =>
  `utm_source=${source}&utm_medium=${medium}&utm_campaign=${campaign}`;

const CHATGPT = from('https://chatgpt.com/', 1.6, '/', 'utm_source=chatgpt.com');
const GIFT_TAGS = utm('instagram', 'paid_social', 'gift-box');
const GIFT_AD = from('https://l.instagram.com/', 0.8, '/teas/gift-box', GIFT_TAGS);

/** Origins of first visits. Weights and readiness are made up: paid search sells best, news sites worst. */
export const ORIGINS: readonly Weighted<Origin>[] = [
  [24, from('', 1)],
  [25, from('https://www.google.com/', 1.1)],
  [4, from('https://www.bing.com/', 1)],
  [2, from('https://duckduckgo.com/', 1)],
  [9, from('https://www.google.com/', 2.1, '/teas', `${utm('google', 'cpc', 'loose')}&gclid=demo`)],
  [7, GIFT_AD],
  [5, from('', 1.9, '/teas/sencha', utm('newsletter', 'email', 'harvest'))],
  [5, CHATGPT],
  [4, from('https://www.reddit.com/', 0.6, '/blog/how-to-brew')],
  [4, from('https://news.ycombinator.com/', 0.2, '/blog/how-to-brew')],
  [3, from('https://www.youtube.com/', 0.7)],
  [3, from('https://www.pinterest.com/', 0.7, '/teas/gift-box')],
  [2, from('https://www.perplexity.ai/', 1.4)],
  [1, from('https://claude.ai/', 1.4)],
  [2, from('https://www.idealo.de/', 1.8, '/teas/kettle')],
  [2, from('https://news.example/', 0.4, '/', utm('adnet', 'display', 'kettle'))],
  [2, from('https://m.facebook.com/', 0.7)],
  [2, from('https://www.steep-thoughts.example/best-teas', 1.5)],
  [1, from('', 1.7, '/', 'ref=kettle-review')],
];

/**
 * What differs in the last week, for insights to say: three times as many come from ChatGPT, and most of those whom an
 * advertisement brings leave its page at once.
 */
export const LAST_WEEK = {
  origins: ORIGINS.map(
    ([weight, origin]): Weighted<Origin> => [origin === CHATGPT ? 3 * weight : weight, origin],
  ),
  isLeft: (origin: Origin) => origin === GIFT_AD,
  leaves: 0.8,
} as const;

/** Origins of return visits. */
export const RETURNS: readonly Weighted<Origin | 'as-before'>[] = [
  [50, from('', 1)],
  [25, 'as-before'],
  [15, from('https://www.google.com/', 1.1)],
  [10, from('', 1.9, '/teas', utm('newsletter', 'email', 'weekly'))],
];

/** The shop's products, weighted by sales. */
export const PRODUCTS: readonly Weighted<Product>[] = [
  [30, { path: '/teas/assam', name: 'Assam 250 g', priceMinor: 1_490 }],
  [22, { path: '/teas/sencha', name: 'Sencha 100 g', priceMinor: 1_850 }],
  [25, { path: '/teas/earl-grey', name: 'Earl Grey 200 g', priceMinor: 1_190 }],
  [13, { path: '/teas/kettle', name: 'Enamelled kettle', priceMinor: 2_999 }],
  [10, { path: '/teas/gift-box', name: 'Gift box', priceMinor: 4_900 }],
];

/** The subscription: a monthly box of tea. */
export const CLUB: Product = { path: '/club', name: 'Tea club', priceMinor: 1_200 };
/** The subscription with a larger box. */
export const LARGE_CLUB: Product = { ...CLUB, name: 'Tea club, large box', priceMinor: 1_900 };

/** Pages that visitors browse, weighted by popularity. */
export const PAGES: readonly Weighted<string>[] = [
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
