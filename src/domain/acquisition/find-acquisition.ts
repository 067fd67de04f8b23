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
  const tag = (name: string) => tags.get(name) ?? '';
  const isOwn = (host: string) =>
    isHostAmong(host, arrival.siteHosts) || isHostAmong(host, facts.checkoutHosts);
  const isKnown = isOwn(arrival.referrer.host) || isSignIn(arrival.referrer, facts.signInPages);
  const referrer = isKnown ? { url: '', host: '' } : arrival.referrer;
  const click = facts.clickIds.find(({ parameter }) => tags.has(parameter));
  const ad = facts.adFrames.find(({ host }) => isOfHost(referrer.host, host));
  const clickSource = click ? findSourceOfClick(click, referrer, facts.names) : '';
  const foreign = SOURCE_TAGS.map(tag).find((host) => host && !isOwn(host.toLowerCase()));
  const source =
    facts.names.nameTag(tag('utm_source')) ||
    facts.names.nameTag(foreign ?? '') ||
    clickSource ||
    ad?.source ||
    facts.names.nameHost(referrer.host);

  const paid = source === clickSource ? click : source === ad?.source ? ad : undefined;
  const medium = tag('utm_medium') || paid?.medium || '';
  const campaign = tag('utm_campaign');
  const isUntagged = source === '' && medium === '' && campaign === '';
  const kind = facts.names.kindOf(source);

  return {
    source,
    medium,
    campaign,
    channel: isUntagged ? '' : findChannel({ source, kind, medium, campaign }),
    term: tag('utm_term'),
    content: tag('utm_content'),
    clickId: click?.parameter ?? '',
    clickIdValue: tag(click?.parameter ?? ''),
    referrer: referrer.url,
  };
}

function findSourceOfClick(click: ClickId, referrer: Referrer, names: SourceNames): string {
  const seen = click.kin.length > 0 ? names.nameHost(referrer.host) : '';
  return click.kin.includes(seen) ? seen : click.source;
}

const PATH = /^[a-z-]+:\/\/[^/?#]*([^?#]*)/i;

/**
 * Whether a referrer is a sign-in page. A visitor who returns from one was already on the site.
 *
 * - Why a bare origin counts as a source if the host has other pages too: browsers usually send
 *   only the origin, and most visitors from such a host followed a link.
 */
function isSignIn({ url, host }: Referrer, pages: readonly SignInPages[]): boolean {
  return pages.some((page) => {
    if (!isOfHost(host, page.host)) return false;
    return page.path === '' || isBelow(PATH.exec(url)?.[1] ?? '', page.path);
  });
}

function isBelow(path: string, known: string): boolean {
  const steps = path.split('/');
  return known.split('/').every((step, index) => {
    return step === '*' ? index < steps.length : step === steps[index];
  });
}
