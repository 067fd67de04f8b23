import type {
  Acquisition,
  AcquisitionFacts,
  Arrival,
  ClickId,
  Referrer,
  SignInPages,
  SourceNames,
} from './acquisition.ts';
import { findChannel } from './channels/channel-rules.ts';
import { isHostAmong, isOfHost } from './is-host-among.ts';
import { isSignIn } from './is-sign-in.ts';

const NO_REFERRER: Referrer = { url: '', host: '' };

/** Tags that name a source, beside `utm_source`; the first that is there wins. */
const SOURCE_TAGS = ['ref', 'source', 'via'] as const;

/**
 * Where a visitor came from: the `utm_*` tags, else `ref`, `source`, `via`, else a click id, else
 * the referrer; nothing of these is Direct, with an empty source.
 *
 * - Why `utm_source` may name the site's own host and the others not: a site tags its newsletter so
 *   on purpose, while a `ref` or a referrer of its own says only where the visitor already was.
 * - Why the frame of an ad says the medium too: only who clicks the ad comes from there.
 * - Why a click id overrules the referrer: it says who was paid for the click, which a redirect or
 *   an app's web view may hide. An id that several networks share leaves the word to their referrer.
 * - Source: semantics of source, medium and campaign in docs/metrics.md.
 */
export function findAcquisition(arrival: Arrival, facts: AcquisitionFacts): Acquisition {
  const { tags } = arrival;
  const isOwn = (host: string) =>
    isHostAmong(host, arrival.siteHosts) || isHostAmong(host, facts.checkoutHosts);
  const referrer = findForeignReferrer(arrival.referrer, isOwn, facts.signInPages);
  const click = facts.clickIds.find(({ parameter }) => tags.has(parameter));
  const ad = facts.adFrames.find(({ host }) => isOfHost(referrer.host, host));
  const clickSource = click ? findSourceOfClick(click, referrer, facts.names) : '';
  const source =
    facts.names.nameTag(tags.get('utm_source') ?? '') ||
    facts.names.nameTag(findForeignTag(tags, isOwn)) ||
    clickSource ||
    ad?.source ||
    facts.names.nameHost(referrer.host);

  const paid = source === clickSource ? click : source === ad?.source ? ad : undefined;
  const medium = tags.get('utm_medium') ?? paid?.medium ?? '';
  const campaign = tags.get('utm_campaign') ?? '';
  const isNothingSaid = source === '' && medium === '' && campaign === '';
  const kind = facts.names.kindOf(source);

  return {
    source,
    medium,
    campaign,
    channel: isNothingSaid ? '' : findChannel({ source, kind, medium, campaign }),
    term: tags.get('utm_term') ?? '',
    content: tags.get('utm_content') ?? '',
    clickId: click?.parameter ?? '',
    clickIdValue: (click && tags.get(click.parameter)) ?? '',
    referrer: referrer.url,
  };
}

function findForeignReferrer(
  referrer: Referrer,
  isOwn: (host: string) => boolean,
  signInPages: readonly SignInPages[],
): Referrer {
  return isOwn(referrer.host) || isSignIn(referrer, signInPages) ? NO_REFERRER : referrer;
}

function findForeignTag(tags: Arrival['tags'], isOwn: (host: string) => boolean): string {
  for (const name of SOURCE_TAGS) {
    const tag = tags.get(name);
    if (tag !== undefined && !isOwn(tag.toLowerCase())) return tag;
  }
  return '';
}

function findSourceOfClick(click: ClickId, referrer: Referrer, names: SourceNames): string {
  const seen = click.kin.length > 0 ? names.nameHost(referrer.host) : '';
  return click.kin.includes(seen) ? seen : click.source;
}
