import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { DemoAnswer } from '#contract/sites/demo.ts';
import { DEMO_DOMAIN } from '#domain/site/demo.ts';
import { useGet, useMe, useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { Inline, Stack, wordsClass } from '../../ui/layout.tsx';
import { lazyPart } from '../../ui/loaded.tsx';

const REMOVE = 'Remove the demo';

const ConfirmButton = lazyPart(
  () => import('../../ui/dialog.tsx'),
  'ConfirmButton',
  <Button {...{ size: 'small', disabled: true }}>{REMOVE}</Button>,
);

const OFFER: CSSProperties = {
  ...{ justifyItems: 'start', marginTop: 16, paddingTop: 16 },
  ...{ borderTop: '1px solid var(--line)', color: 'var(--soft)' },
};

const RIBBON: CSSProperties = {
  ...{ minHeight: 40, marginTop: 8, padding: '6px 16px' },
  ...{ borderRadius: 'var(--radius)', background: 'var(--blue-pale)' },
};

/** Offers the owner of a server without a demo shop to try one with a click. */
export function DemoOffer() {
  const { data: me } = useMe();
  const isOwner = me?.user.is_owner === true;
  const { data: demo } = useDemo(isOwner);
  const { mutate, error, isPending } = useChangeOfDemo();
  const [isWanted, setWanted] = useState(false);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const isReady = demo?.state === 'ready';
  const domain = demo?.domain ?? '';
  useEffect(() => {
    if (!isWanted || !isReady) return;
    void client.invalidateQueries({ queryKey: ['me'] }).then(() => navigate(`/${domain}`));
  }, [isWanted, isReady, domain, client, navigate]);
  if (!isOwner || demo === undefined || (isReady && !isWanted)) return null;
  const share = demo.visitors / Math.max(1, demo.visitors_in_all);
  const problem = error?.message ?? (demo.state === 'failed' ? demo.message : undefined);
  return (
    <Stack style={OFFER} gap={8}>
      {demo.state === 'filling' || isReady ? (
        <>
          <p role="status">
            The demo shop is filling with 90 days of made-up visitors and payments.
          </p>
          <progress
            style={{ width: '100%', height: 6, accentColor: 'var(--blue-line)' }}
            value={share}
            aria-label="Filled"
          />
        </>
      ) : (
        <>
          <p>Want to look around first? The demo is a made-up tea shop with data.</p>
          <Button
            disabled={isPending}
            onClick={() => {
              setWanted(true);
              mutate('POST');
            }}
          >
            Open the demo shop
          </Button>
        </>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </Stack>
  );
}

const LOOK_AGAIN_MS = 500;

const PATH = '/api/v1/demo';

/** The demo shop, polled while it is being filled. */
function useDemo(isEnabled: boolean) {
  return useGet<DemoAnswer>(PATH, {
    refetchInterval: ({ state: { data } }) => (data?.state === 'filling' ? LOOK_AGAIN_MS : false),
    enabled: isEnabled,
  });
}

/** Adds or removes the demo shop. */
function useChangeOfDemo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (method: 'POST' | 'DELETE') => request<DemoAnswer>(PATH, { method, body: {} }),
    onSuccess: async (demo) => {
      client.setQueryData([PATH], demo);
      await client.invalidateQueries({ queryKey: ['me'] });
    },
  });
}

/** On the demo shop's pages: says that nothing is real, and how to remove it. */
export function DemoRibbon() {
  const { domain, role, shared } = useSite();
  const { mutate, mutateAsync, isPending, error } = useChangeOfDemo();
  const [, navigate] = useLocation();
  const isHere = domain === DEMO_DOMAIN && shared === undefined;
  const { data: demo } = useDemo(isHere);
  if (!isHere) return null;
  return (
    <Inline as="aside" gap="4px 16px" style={RIBBON} aria-label="Demo">
      <span>This is a demo: a made-up tea shop.</span>
      {demo?.message !== undefined && <span role="alert">{demo.message}</span>}
      {role === 'owner' && (
        <>
          <Link to="/?add=1" className={wordsClass('link')} style={{ marginLeft: 'auto' }}>
            Add your site
          </Link>
          {demo?.state === 'failed' && (
            <Button
              size="small"
              disabled={isPending}
              onClick={() => mutate('POST', { onSuccess: () => navigate('/?add=1') })}
            >
              Fill it again
            </Button>
          )}
          <ConfirmButton
            {...{ label: REMOVE, title: `${REMOVE}?`, action: REMOVE }}
            {...{ look: 'primary', size: 'small', disabled: isPending }}
            onConfirm={() => mutateAsync('DELETE').then(() => navigate('/'))}
          >
            <p>The made-up visitors and payments go, and all that was saved for the tea shop.</p>
            <p>You can open a new demo shop where you add a site.</p>
          </ConfirmButton>
        </>
      )}
      {error && <span role="alert">{error.message}</span>}
    </Inline>
  );
}
