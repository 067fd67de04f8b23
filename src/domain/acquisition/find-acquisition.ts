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

/** Parameters that name a source besides `utm_source`. The first one present wins. */
const SOURCE_TAGS = ['ref', 'source', 'via'] as const;

/**
 * Finds where a visitor came from. The source is the first of `utm_source`; `ref`, `source`, `via`;
 * a click id; the referrer. Without any of them it is empty: Direct.
 *
 * - Why only `utm_source` may name the site's own host: sites tag their newsletters like that on
 *   purpose, while their own host in `ref` or the referrer only says where the visitor already was.
 * - Why an ad frame also sets the medium: a visitor can only come from it by clicking the ad.
 * - Why a click id overrides the referrer: it says who was paid for the click, which a redirect or
 *   an app's web view may hide. If several networks share the id, their referrer decides.
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
  const isUntagged = source === '' && medium === '' && campaign === '';
  const kind = facts.names.kindOf(source);

  return {
    source,
    medium,
    campaign,
    channel: isUntagged ? '' : findChannel({ source, kind, medium, campaign }),
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
