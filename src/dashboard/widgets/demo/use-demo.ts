import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/api.ts';

const LOOK_AGAIN_MS = 500;

/** Whether the demo shop exists, and how far it is filled. */
export type Demo = {
  readonly state: 'none' | 'filling' | 'ready' | 'failed';
  readonly domain: string;
  readonly visitors: number;
  readonly visitors_in_all: number;
  readonly message?: string;
};

const KEY = ['demo'];

/** The demo shop, polled while it is being filled. */
export function useDemo(isEnabled: boolean) {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request<Demo>('/api/v1/demo', { signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'filling' ? LOOK_AGAIN_MS : false),
    enabled: isEnabled,
  });
}

/** Adds or removes the demo shop. */
export function useChangeOfDemo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (method: 'POST' | 'DELETE') => request<Demo>('/api/v1/demo', { method, body: {} }),
    onSuccess: async (demo) => {
      client.setQueryData(KEY, demo);
      await client.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
