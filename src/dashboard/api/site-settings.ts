import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSite } from './account.ts';
import { request } from './api.ts';

/** A site with all its settings. */
export type SiteSettings = {
  readonly id: string;
  readonly domain: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  readonly allowed_hosts: readonly string[];
  readonly settings: {
    readonly retention: string | null;
    readonly data_centres: string | null;
    readonly cookieless: string | null;
    readonly identify: string | null;
    readonly mask_paths: readonly string[] | null;
  };
  readonly channels: readonly {
    readonly name: string;
    readonly where: readonly {
      readonly field: string;
      readonly op: string;
      readonly value: string;
    }[];
  }[];
  readonly has_identity_secret: boolean;
  readonly identity_secret?: string;
};

/** A backend's key, as far as it is shown again. */
export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly prefix: string;
  readonly last4: string;
  readonly state: 'live' | 'revoked' | 'expired';
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
};

/** How well a site is measured now. */
export type SiteHealth = {
  readonly ready: boolean;
  readonly pageview_at: string | null;
  readonly event_at: string | null;
  readonly dropped: readonly { readonly reason: string; readonly count: number }[];
  readonly refused_hosts: readonly string[];
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly message: string;
  }[];
};

/** The tag loading the script. */
export type SiteScript = { readonly path: string; readonly src: string; readonly tag: string };

/** Who has access to a site. */
export type SiteMembers = {
  readonly members: readonly {
    readonly user_id: string;
    readonly name: string;
    readonly email: string;
    readonly role: string;
    readonly is_owner: boolean;
    readonly two_factor: boolean;
  }[];
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly role: string;
    readonly expires_at: string;
  }[];
};

/** One change somebody made. */
export type AuditEntry = {
  readonly at: string;
  /** The site's domain; null if it has none, or the site is gone. */
  readonly site: string | null;
  readonly who: string;
  readonly what: string;
  readonly about: string;
};

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
