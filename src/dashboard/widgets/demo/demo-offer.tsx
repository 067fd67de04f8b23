import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { DemoAnswer } from '#contract/sites/demo.ts';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import styles from './demo.module.css';

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
    <div className={styles.offer}>
      {demo.state === 'filling' || isReady ? (
        <>
          <p role="status">
            The demo shop is filling with 90 days of made-up visitors and payments.
          </p>
          <progress className={styles.progress} value={share} aria-label="Filled" />
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
    </div>
  );
}

const LOOK_AGAIN_MS = 500;

const KEY = ['demo'];

/** The demo shop, polled while it is being filled. */
export function useDemo(isEnabled: boolean) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request<DemoAnswer>('/api/v1/demo', { signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'filling' ? LOOK_AGAIN_MS : false),
    enabled: isEnabled,
  });
}

/** Adds or removes the demo shop. */
export function useChangeOfDemo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (method: 'POST' | 'DELETE') =>
      request<DemoAnswer>('/api/v1/demo', { method, body: {} }),
    onSuccess: async (demo) => {
      client.setQueryData(KEY, demo);
      await client.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
