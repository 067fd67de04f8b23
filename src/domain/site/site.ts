import type { MoneyPlace } from '../money/rates/convert-money.ts';
import type { Converting } from '../money/rates/describe-converting.ts';
import type { SiteSettings } from './site-settings.ts';

/** A website, with the time zone and currency of its reports. */
export type Site = {
  readonly id: string;
  readonly domain: string;
  /** Display name. Empty if not set; the domain is then shown. */
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  /** Allowed hosts besides the domain and its subdomains. */
  readonly allowedHosts: readonly string[];
  readonly settings: SiteSettings;
  /** The key that signs identifies from browsers; undefined until the site requires signatures. Shown only once. */
  readonly identitySecret: string | undefined;
  readonly createdAt: number;
  /** The currency that all rows have, and where; undefined while rows are from before they had any. */
  readonly shown: { readonly currency: string; readonly place: MoneyPlace } | undefined;
  /** While payments are converted again; undefined otherwise. */
  readonly converting: Converting | undefined;
};

/** The request to add a site. */
export type NewSite = {
  /** A leading "www." is removed, because subdomains count anyway. */
  readonly domain: string;
  readonly name?: string;
  readonly timezone: string;
  readonly currency: string;
  readonly allowedHosts?: readonly string[];
};

/** Why a site is refused, and which property is at fault, if one is. */
export type SiteFault = { readonly field?: keyof NewSite; readonly message: string };
