import { VISITOR_HEADER } from '@tributary/server';
import type { BetterAuthClientPlugin } from 'better-auth/client';
import { IDENTITY_HEADER } from './identity-header.ts';

type Command = (verb: string, subject?: unknown) => void;
type Page = { tributary?: Command & { visitor?: string; q?: unknown[] } };

/**
 * The part in the browser: identifies the visitor with the `user_hash` that the server signed, names the visitor of a cookieless
 * site to the server, and begins a new visitor at sign-out.
 */
export function tributaryClient() {
  return {
    id: 'tributary',
    fetchPlugins: [
      {
        id: 'tributary',
        name: 'Tributary',
        hooks: {
          onRequest({ headers }) {
            const { tributary } = globalThis as Page;
            if (tributary?.visitor !== undefined) headers.set(VISITOR_HEADER, tributary.visitor);
          },
          onSuccess({ response, request }) {
            const said = response.headers.get(IDENTITY_HEADER)?.split(' ');
            const [user_hash, id] = said ?? [];
            if (id !== undefined) {
              command()('identify', { user_id: decodeURIComponent(id), user_hash });
            }
            if (String(request.url).endsWith('/sign-out')) command()('reset');
          },
        },
      },
    ],
  } satisfies BetterAuthClientPlugin;
}

/** The script's function, or a list of what it has to do once it is loaded. */
function command(): Command {
  const page = globalThis as Page;
  page.tributary ??= Object.assign(
    (...given: Parameters<Command>) => {
      page.tributary?.q?.push(given);
    },
    { q: [] },
  );
  return page.tributary;
}
