import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSite } from './account.ts';
import { request } from './api.ts';

/** Responses of `/api/v1/sites/{id}` and the paths below. */
export function useOfSite<Answer>(path = '', options: { readonly refetchInterval?: number } = {}) {
  const { id } = useSite();
  return useQuery({
    queryKey: [id, 'site', path],
    queryFn: ({ signal }) => request<Answer>(`/api/v1/sites/${id}${path}`, { signal }),
    ...options,
  });
}

/** Changes something below `/api/v1/sites/{id}` and refetches what is shown of it. */
export function useChangeOfSite<Answer = unknown>() {
  const { id } = useSite();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: {
      readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly path?: string;
      readonly body?: unknown;
    }) => {
      const { method, path = '', body } = change;
      return request<Answer>(`/api/v1/sites/${id}${path}`, { method, body });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [id, 'site'] });
      await client.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
