import type { SourceKind } from './channels/channel-facts.ts';

/** How a visitor reached a page: source, channel, campaign and click id. */
export type Acquisition = {
  /** Display name ("Google"), a host, or a tag as written. Empty for Direct. */
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  /** The default channel. Empty without source, medium and campaign. */
  readonly channel: string;
  readonly term: string;
  readonly content: string;
  /** Parameter name of the click id (`gclid`), in lower case. */
  readonly clickId: string;
  readonly clickIdValue: string;
  /** The referrer as sent. Empty for the site itself and for checkout and sign-in pages. */
  readonly referrer: string;
};

/** How one page was reached. */
export type Arrival = {
  /** Non-empty query parameters of the page, by lower-case name. */
  readonly tags: ReadonlyMap<string, string>;
  readonly referrer: Referrer;
  /** The site's domain and its other hosts, with all subdomains. */
  readonly siteHosts: readonly string[];
};

/** A referrer as sent, and its lower-case host without `www.`. Both are empty without a referrer. */
export type Referrer = { readonly url: string; readonly host: string };

/** Reference data about sources, from `data/`. */
export type AcquisitionFacts = {
  readonly names: SourceNames;
  /** In order of precedence. */
  readonly clickIds: readonly ClickId[];
  /** Payment hosts, with all subdomains. */
  readonly checkoutHosts: readonly string[];
  readonly signInPages: readonly SignInPages[];
  readonly adFrames: readonly AdFrames[];
};

/** A host whose frames show an advertising network's ads. A referral from it is an ad click. */
type AdFrames = {
  /** Includes subdomains; with the prefix `*.`, only subdomains. */
  readonly host: string;
  readonly source: string;
  readonly medium: string;
};

/** The sign-in pages of one host. */
export type SignInPages = {
  /** Includes subdomains; with the prefix `*.`, only subdomains. */
  readonly host: string;
  /** Only pages below this path; `*` matches one segment. Empty for all pages of the host. */
  readonly path: string;
};

/** Display names of sources. */
export interface SourceNames {
  /** Brand behind a host (or `android-app://…`); for an unknown host, its registrable domain. */
  nameHost(host: string): string;
  /** Brand behind a tag such as `utm_source=fb`; an unknown tag as written. */
  nameTag(tag: string): string;
  /** The kind of a known brand; empty for other sources. */
  kindOf(source: string): SourceKind;
}

/** A click id: a parameter that an advertising system appends to clicked links. */
export type ClickId = {
  /** In lower case. */
  readonly parameter: string;
  readonly source: string;
  /** Empty if the id alone does not imply a medium. */
  readonly medium: string;
  /** Other sources that send the same id. */
  readonly kin: readonly string[];
};
