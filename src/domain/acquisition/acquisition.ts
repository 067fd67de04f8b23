import type { SourceKind } from './channels/channel-facts.ts';

/** How a visitor came to a page: the source, what is known of it, and the click that brought it. */
export type Acquisition = {
  /** Spoken name ("Google"), a host, or a tag as written; empty when there is none: Direct. */
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  /** The default channel; empty when nothing at all says how the visitor came. */
  readonly channel: string;
  readonly term: string;
  readonly content: string;
  /** Name of the click id's parameter (`gclid`), in lower case. */
  readonly clickId: string;
  readonly clickIdValue: string;
  /** The referrer as sent; empty when it is the site itself or where people pay or sign in. */
  readonly referrer: string;
};

/** One page as it was reached. */
export type Arrival = {
  /** Values of the page's query string by name in lower case; none is empty. */
  readonly tags: ReadonlyMap<string, string>;
  readonly referrer: Referrer;
  /** The site's domain and further hosts of its own; subdomains are included. */
  readonly siteHosts: readonly string[];
};

/** A referrer as sent, and its host in lower case without `www.`; both empty when there is none. */
export type Referrer = { readonly url: string; readonly host: string };

/** What the world knows of sources; see `data/`. */
export type AcquisitionFacts = {
  readonly names: SourceNames;
  /** In order of precedence. */
  readonly clickIds: readonly ClickId[];
  /** Hosts where people pay; subdomains are included. */
  readonly checkoutHosts: readonly string[];
  readonly signInPages: readonly SignInPages[];
  /** Hosts of the frames that show ads. */
  readonly adFrames: readonly AdFrames[];
};

/** Where an advertising network shows its ads: who comes from there has clicked one. */
export type AdFrames = {
  /** Subdomains are included; with `*.` in front, only these. */
  readonly host: string;
  readonly source: string;
  readonly medium: string;
};

/** Where people sign in, at one host. */
export type SignInPages = {
  /** Subdomains are included; with `*.` in front, only these. */
  readonly host: string;
  /** Only pages below it, with `*` for any one step; empty for all of the host's. */
  readonly path: string;
};

/** Spoken names of sources. */
export interface SourceNames {
  /** Name of the brand behind a host (or `android-app://…`); an unknown host's own site. */
  nameHost(host: string): string;
  /** Name of the brand that a tag such as `utm_source=fb` means; an unknown tag as it is. */
  nameTag(tag: string): string;
  /** What a named brand is to the channels; nothing of other sources. */
  kindOf(source: string): SourceKind;
}

/** A parameter that an advertising system appends to a clicked link. */
export type ClickId = {
  /** In lower case. */
  readonly parameter: string;
  readonly source: string;
  /** Empty where the id alone does not say how the visitor came. */
  readonly medium: string;
  /** Further sources that send the same id. */
  readonly kin: readonly string[];
};
