import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DemoAnswer } from '#contract/sites/demo.ts';
import { request } from '../../api/api.ts';

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
