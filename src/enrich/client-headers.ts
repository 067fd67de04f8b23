/**
 * The request headers that identify the client: the user agent, and the client hints of Chromium-based
 * browsers, as sent.
 */
export type ClientHeaders = {
  readonly userAgent: string | undefined;
  readonly hints?: ClientHints;
};

/** `Sec-CH-UA…` headers. Browsers send the last two only if the page's headers request them. */
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
