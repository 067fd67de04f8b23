import type { SiteAnswer } from '#contract/sites/site.ts';
import type { Site } from '#domain/site/site.ts';

/** Formats a site, with its identity secret if that was just created. */
export function toSiteAnswer(site: Site, identitySecret?: string): SiteAnswer {
  const { id, domain, name, timezone, currency, settings } = site;
  const { retention = null, dataCentres = null, cookieless = null, identify = null } = settings;
  const { providerEvents = null, maskPaths = null, exclude = null, channels = [] } = settings;
  return {
    ...{ id, domain, name, timezone, currency, allowed_hosts: [...site.allowedHosts] },
    settings: {
      ...{ retention, data_centres: dataCentres, cookieless, identify },
      provider_events: providerEvents,
      mask_paths: maskPaths && [...maskPaths],
      exclude: exclude && [...exclude],
    },
    channels: channels.map(({ name, where }) => ({ name, where: [...where] })),
    has_identity_secret: identitySecret !== undefined || site.identitySecret !== undefined,
    created_at: new Date(site.createdAt).toISOString(),
    ...(identitySecret !== undefined && { identity_secret: identitySecret }),
  };
}
