import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OwnVisitsAnswer } from '#contract/sites/own-visits.ts';
import { useMe, type ViewedSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { CopiedText } from '../../ui/copied-text.tsx';
import { findStorage } from '../../ui/device.ts';
import { CheckField } from '../../ui/form.tsx';
import { DividedList, Section, Soft, Stack } from '../../ui/layout.tsx';
import { OWN_VISITS_BOOKMARK } from './own-visits-bookmark.ts';

const LOOK_AGAIN_MS = 1_000;
/** Where this browser keeps that it is left out of a site's figures. */
const placeOf = (siteId: string) => `tributary-left-out-${siteId}`;

/** Switches that leave this browser out of the figures of sites, and a bookmark for where they cannot. */
export function OwnVisits() {
  const sites = useMe().data?.sites ?? [];
  return (
    <Section title="Your own visits">
      <Soft>
        Leave this browser out of a site’s figures. A page of the site opens and passes it on to the
        script there.
      </Soft>
      <DividedList>
        {sites.map((site) => (
          <OwnSite key={site.id} site={site} />
        ))}
      </DividedList>
      <Soft>
        Where a site counts without cookies, save this as the address of a bookmark. Clicked on a
        page of the site, it leaves this browser out there, or counts it again, and says which.
      </Soft>
      <CopiedText text={OWN_VISITS_BOOKMARK} name="Bookmark" />
    </Section>
  );
}

function OwnSite({ site: { id, domain } }: { readonly site: ViewedSite }) {
  const { isLeftOut, leave, link, error } = useOwnVisits(id);
  return (
    <Stack as="li" gap={8}>
      <CheckField checked={isLeftOut} onChange={() => leave(!isLeftOut)}>
        Leave this browser out of {domain}
      </CheckField>
      <div role="status">{link && !error && <LinkState link={link} domain={domain} />}</div>
      {error && <p role="alert">{error.message}</p>}
    </Stack>
  );
}

/** Whether this browser is left out of a site, as far as it knows, and what changes that: a link that a page answers. */
function useOwnVisits(siteId: string) {
  const path = `/api/v1/sites/${siteId}/own-visits`;
  const [isLeftOut, setLeftOut] = useState(() => findStorage()?.getItem(placeOf(siteId)) === '1');
  const asked = useMutation({
    mutationFn: (excluded: boolean) => request<OwnVisitsAnswer>(path, { body: { excluded } }),
    onSuccess: ({ url, state }) => state === 'waiting' && window.open(url, '_blank', 'noopener'),
  });
  const linkId = asked.data?.id;
  const followed = useQuery({
    queryKey: ['own-visits', linkId],
    queryFn: ({ signal }) => request<OwnVisitsAnswer>(`${path}/${linkId}`, { signal }),
    enabled: asked.data?.state === 'waiting',
    refetchInterval: ({ state }) => state.data?.state === 'waiting' && LOOK_AGAIN_MS,
  });
  const link = followed.data ?? asked.data;
  useEffect(() => {
    if (link?.state !== 'done') return;
    setLeftOut(link.excluded);
    if (link.excluded) findStorage()?.setItem(placeOf(siteId), '1');
    else findStorage()?.removeItem(placeOf(siteId));
  }, [link, siteId]);
  return { isLeftOut, leave: asked.mutate, link, error: asked.error ?? followed.error };
}

type LinkStateProps = { readonly link: OwnVisitsAnswer; readonly domain: string };

function LinkState({ link: { url, state, excluded }, domain }: LinkStateProps) {
  if (state === 'done') {
    return <p>{excluded ? 'This browser is left out now.' : 'This browser counts again.'}</p>;
  }
  if (state === 'cookieless') {
    return <p>{domain} counts this browser without cookies: use the bookmark below.</p>;
  }
  return (
    <Stack gap={8}>
      <p>
        Waiting for a page of {domain}. If none opens, add the parameter of this address to that of
        a page with the script:
      </p>
      <CopiedText text={url} name={`Link for ${domain}`} />
    </Stack>
  );
}
