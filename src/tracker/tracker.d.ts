type Texts = Readonly<Record<string, string | number | boolean>>;

/**
 * What a page can report to Tributary. See docs/tracking.md.
 *
 * Names are lowercase letters, digits, "_" and "-", at most 64; values at most 255 characters; at most ten of them.
 * Invalid calls never throw.
 */
export type Tributary = {
  /** Reports a goal: `tributary('goal', 'signup', { plan: 'pro' })`. */
  (verb: 'goal', name: string, metadata?: Texts): void;
  /** Tells which customer the visitor is: `tributary('identify', { user_id: 'customer-7' })`. */
  (
    verb: 'identify',
    person: {
      readonly user_id: string | number;
      readonly user_hash?: string;
      readonly traits?: Texts;
    },
  ): void;
  /** Starts a new visitor, for logout: the next person in this browser is someone else. Sends nothing. */
  (verb: 'reset'): void;
  /**
   * The visitor's id, for a backend to pass on; set once the server has answered. Only in cookieless mode: otherwise
   * it is in the cookie `service_visitor_id`.
   */
  visitor?: string | undefined;
  /** The site that this page reports to, once it does. */
  site?: string | undefined;
  /** Commands from before the script was loaded. */
  q?: ArrayLike<unknown>[];
};

/**
 * A page's options: attributes of the script's tag (`data-allow-iframe`), or the options of {@link start} (`{
 * allowIframe: true }`).
 */
export type TrackerOptions = {
  /** The site's domain or id. */
  readonly site: string;
  /** The part after "#" names a page, as in `/#/settings`. */
  readonly hash?: true;
  /** The query names a page too, as in `/?page=2`. */
  readonly query?: true;
  /** Hosts of the same site with other cookies, comma-separated: links to them carry the ids. */
  readonly domains?: string;
  /** Stores no cookie and nothing in the browser; `gpc`: only with Global Privacy Control. */
  readonly cookieless?: true | 'gpc';
  /** Keeps the cookies on the page's host, for sites that share a domain with others. */
  readonly cookieHost?: true;
  readonly allowLocalhost?: true;
  readonly allowIframe?: true;
  readonly allowAutomation?: true;
};

/** Options of the ES module. `src` is the address in the site's tag; default: `/js/script.js` on the page's origin. */
export type StartOptions = TrackerOptions & { readonly src?: string };

/** Starts the tracker in this page, once. Returns `window.tributary`. */
export declare function start(options: StartOptions): Tributary;

declare global {
  const tributary: Tributary;
  interface Navigator {
    /** Source: W3C, Global Privacy Control. */
    readonly globalPrivacyControl?: boolean;
  }
  interface Window {
    tributary?: Tributary;
  }
}
