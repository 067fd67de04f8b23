import type { Translation } from './facts.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** A webhook delivery as it arrived. */
export type Delivery = {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The value of `token` in the address, for providers with `hasTokenInAddress`. */
  readonly addressToken?: string | undefined;
};

/** Why a delivery is refused. Only `stale` and `future` tell the sender more than `forged`. */
export type VerifyRefusal = 'forged' | 'stale' | 'future' | 'unsigned';

/** What a connection has been given. Secrets are decrypted; rotated ones come newest first. */
export type ConnectionSecrets = {
  readonly signingSecrets: readonly string[];
  /** For history and for objects that events only name. */
  readonly apiKey?: string | undefined;
  /** What else a provider needs, by the names of its `fields`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Why the secrets cannot be read, if they cannot. */
  readonly fault?: string;
};

/** The event in a verified delivery. */
export type ProviderEvent = {
  /** The id by which repeated deliveries are one. */
  readonly id: string;
  /** The provider's own name of its type. */
  readonly type: string;
  /** Test-mode events are kept and counted, and left out. */
  readonly isTest: boolean;
  /** When it arrived first, in milliseconds since 1970: the time of events that name none. */
  readonly receivedAt: number;
  readonly body: JsonObject;
};

/** One of the things that a connection is asked for. */
export type ConnectionField = {
  readonly name: 'signing_secret' | 'api_key' | string;
  readonly label: string;
  /** Where to find it, in one sentence with the provider's own words. */
  readonly hint: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** What a value looks like, such as `whsec_…`. */
  readonly pattern?: RegExp;
  readonly example?: string;
};

/** A step of connecting, as the dashboard and the docs show it. */
type ConnectionStep = {
  readonly title: string;
  readonly text: string;
  /** What to click in the provider's own dashboard, in order and by its own words. The dashboard draws it. */
  readonly way?: readonly string[];
  /** What belongs where in the form at its end: values by label. */
  readonly form?: Readonly<Record<string, string>>;
};

/** Stands for the address of the webhook in a form. */
export const ADDRESS = '{address}';

/**
 * A payment provider: how its deliveries are verified and what its events mean.
 *
 * - Shape: pure, but for `backfill`. No word of a provider stands outside its folder.
 */
export interface Provider {
  readonly name: string;
  readonly title: string;
  readonly fields: readonly ConnectionField[];
  /** Three steps: create the webhook, paste the secret, carry the visitor id. */
  readonly steps: readonly ConnectionStep[];
  /** The event types to choose for the webhook. None where nothing can be chosen. */
  readonly eventTypes: readonly string[];
  /** The line that carries the visitor id, for those whose payments come without. */
  readonly visitorLine: string;
  /** Sells goods, and takes the money through gateways, which may be connected too. */
  readonly isShop?: true;
  /** Numbers orders and customers from 1 on, so that those of two shops have the same ids. */
  readonly hasNumberedIds?: true;
  /** Does not sign: its address ends in `?token=…`, one of the signing secrets, which we make up. */
  readonly hasTokenInAddress?: true;
  /** Whether this is the provider's unsigned check of a new address. It is answered 200, and is no event. */
  isPing?(delivery: Delivery): boolean;
  /**
   * The address of the certificate that a delivery is signed with, for providers that sign with one. Undefined if it is
   * missing or not at the provider's own hosts.
   */
  findCertificateUrl?(delivery: Delivery): string | undefined;
  /** Checks the signature over the raw bytes. Returns undefined if it holds. Does no other work before. */
  verify(
    delivery: Delivery,
    secrets: ConnectionSecrets,
    certificate?: string,
  ): VerifyRefusal | undefined;
  /** Reads the envelope of a verified delivery. Returns undefined if it is not an event of this provider. */
  readEvent(delivery: Delivery, secrets: ConnectionSecrets): ProviderEvent | undefined;
  /** Never throws. The settings are those of the connection. */
  translate(event: ProviderEvent, settings: ConnectionSecrets['settings']): Translation;
  /** The body of an event with this id, for the connection's test. Its payment is of no importance: it is left out. */
  makeSample(id: string, at: number, settings: ConnectionSecrets['settings']): string;
  /**
   * The headers that sign a body and, where headers name it, its id, for the connection's test through the real door.
   * Missing if only the provider itself can sign.
   */
  signSample?(
    body: string,
    secret: string,
    at: number,
    id: string,
    settings: ConnectionSecrets['settings'],
  ): Readonly<Record<string, string>>;
  readonly backfill?: Backfill;
}

/** History through a provider's list API. */
export interface Backfill {
  /** `https://…`; a connection may name another, such as a sandbox. Undefined if a setting is missing or wrong. */
  findBaseUrl(secrets: ConnectionSecrets): string | undefined;
  /**
   * Asks for a short-lived token, for providers without lasting keys. The `access_token` of its answer then stands in
   * for the connection's API key, for `expires_in` seconds.
   */
  login?(secrets: ConnectionSecrets): BackfillRequest | undefined;
  /** Its key is the signing secret, unless an API key is given. */
  readonly isKeySigningSecret?: true;
  /** How many years its lists go back, if it refuses to be asked for more. */
  readonly yearsMax?: number;
  /**
   * Lists that cannot be asked for by time, by numbers of pages, newest first. The poll reads their first pages.
   */
  readonly undated?: readonly string[];
  /** The lists to walk, in order. */
  readonly lists: readonly string[];
  /** What a key needs to read a list, in the provider's words; undefined if keys may read all or nothing. */
  permissionOf?(list: string): string | undefined;
  /** The request for the next page of a list: from `since` on, or from a cursor of the page before. */
  request(page: BackfillPage, secrets: ConnectionSecrets): BackfillRequest;
  /** Creates the webhook at an address, if the key may. The same request again creates no second one. */
  createWebhook?(
    url: string,
    eventTypes: readonly string[],
    secrets: ConnectionSecrets,
  ): BackfillRequest | undefined;
  /** The field of its answer with the signing secret. */
  readonly secretOfWebhook?: string;
  /** The objects of the page's answer as facts, and the cursor of the next page. */
  read(page: BackfillPage, answer: JsonValue): BackfillResult;
}

/** Where a walk through a list stands. It is saved after each page, so that it can resume. */
export type BackfillPage = {
  readonly list: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** When the walk began, in milliseconds since 1970: later objects come by webhook. */
  readonly until: number;
  readonly cursor?: string | undefined;
};

/** A request of the list API. */
export type BackfillRequest = {
  readonly method?: 'GET' | 'POST';
  /** Path with query, below the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** A page of history. */
export type BackfillResult = {
  readonly translations: readonly Translation[];
  /** Undefined on the last page. */
  readonly cursor?: string | undefined;
  /** What the provider says instead of a page, in an answer of status 200. */
  readonly fault?: string | undefined;
};
