type Texts = Readonly<Record<string, string>>;

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
    person: { readonly user_id: string; readonly user_hash?: string; readonly traits?: Texts },
  ): void;
  /** Starts a new visitor, for logout: the next person in this browser is someone else. Sends nothing. */
  (verb: 'reset'): void;
  /**
   * The visitor's id, for a backend to pass on; set once the server has answered. Only in cookieless mode: otherwise
   * it is in the cookie `service_visitor_id`.
   */
  visitor?: string | undefined;
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
  /** Hosts of the same site with other cookies, comma-separated: links to them carry the ids. */
  readonly domains?: string;
  /** Stores no cookie and nothing in the browser; `gpc`: only with Global Privacy Control. */
  readonly cookieless?: true | 'gpc';
  readonly allowLocalhost?: true;
  readonly allowIframe?: true;
  readonly allowAutomation?: true;
};

/** Options of the ES module, which has no tag of its own. */
export type StartOptions = TrackerOptions & {
  /** The address in the site's tag (`site script`); default: `/js/script.js` on the page's own origin. */
  readonly src?: string;
};

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
