/**
 * What a request's headers say of the program that sent it: the user agent, and the client hints
 * that Chromium's browsers send beside it, as they were sent.
 */
export type ClientHeaders = {
  readonly userAgent: string | undefined;
  readonly hints?: ClientHints;
};

/** `Sec-CH-UA…` headers. The last two are sent only where a page's own headers ask for them. */
export type ClientHints = {
  /** `"Chromium";v="146", "Brave";v="146"` */
  readonly brands: string;
  /** `?1` on phones. */
  readonly mobile: string;
  /** `"Windows"` */
  readonly platform: string;
  /** `"15.0.0"` */
  readonly platformVersion: string;
};
