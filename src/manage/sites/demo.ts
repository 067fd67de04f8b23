import { bodyErrors } from '#contract/error.ts';
import { DemoAnswer } from '#contract/sites/demo.ts';
import type { User } from '#domain/account/user.ts';
import { DEMO_DOMAIN, isDemoUnfinished } from '#domain/site/demo.ts';
import type { Server } from '#server/server-type.ts';
import { addUserRoute } from '../access/routes.ts';
import { requireOwner, requireUser, type SiteAccess } from '../access/users.ts';
import type { KeyStore } from './keys.ts';
import { type RemovalDeps, removeSite } from './remove-site.ts';

const UNFINISHED =
  'The demo shop is incomplete: filling it was interrupted, or is still under way. Fill it again, or remove it.';

/** Fills the demo shop; `failure` is the reason why the last attempt failed. */
export type DemoFiller = {
  readonly find: () =>
    | {
        readonly done: number | undefined;
        readonly total: number | undefined;
        readonly failure: string | undefined;
      }
    | undefined;
  readonly start: () => void;
  readonly stop: () => void;
};

type DemoDeps = SiteAccess<'saved' | 'notices'> & {
  readonly siteStore: RemovalDeps['siteStore'];
  readonly demo: DemoFiller;
  readonly keyStore: Pick<KeyStore, 'listKeys'>;
};

/** `/api/v1/demo`: a made-up shop to explore, added and removed by the owner. */
export function addDemoRoutes(server: Server, deps: DemoDeps): void {
  const { accounts, demo, sites } = deps;
  addUserRoute(server, 'GET /api/v1/demo', requireUser(accounts), {
    operation: ['findDemo', 'Get the state of the demo shop'],
    answer: DemoAnswer,
    handle: () => findDemo(deps),
  });
  addUserRoute(server, 'POST /api/v1/demo', requireOwner(deps.accounts), {
    operation: ['addDemo', 'Add the demo shop, with made-up visitors and payments'],
    description: 'Filling it takes a few seconds and continues in the background.',
    answer: DemoAnswer,
    code: 202,
    errors: bodyErrors(),
    async handle({ user }) {
      const { state } = await findDemo(deps);
      if (state === 'none' || state === 'failed') {
        // The remains of a failed attempt would block a new one.
        await removeShop(user);
        demo.start();
        const noted = { siteId: '', what: 'demo shop added', about: DEMO_DOMAIN };
        await accounts.audit.note(user, noted);
      }
      return findDemo(deps);
    },
  });
  addUserRoute(server, 'DELETE /api/v1/demo', requireOwner(deps.accounts), {
    operation: ['removeDemo', 'Remove the demo shop'],
    answer: DemoAnswer,
    async handle({ user }) {
      demo.stop();
      await removeShop(user);
      return findDemo(deps);
    },
  });

  async function removeShop(user: User): Promise<void> {
    const { id } = sites.findSite(DEMO_DOMAIN) ?? {};
    if (id === undefined) return;
    await removeSite(deps, id);
    await accounts.audit.note(user, { siteId: id, what: 'site removed', about: DEMO_DOMAIN });
  }
}

async function findDemo({ demo, sites, keyStore }: DemoDeps): Promise<DemoAnswer> {
  const filling = demo.find();
  const site = sites.findSite(DEMO_DOMAIN);
  const isLeft = site !== undefined && isDemoUnfinished(await keyStore.listKeys(site.id));
  const failure = filling === undefined && isLeft ? UNFINISHED : filling?.failure;
  const state = filling === undefined ? (site ? 'ready' : 'none') : 'filling';
  return {
    state: failure === undefined ? state : 'failed',
    domain: DEMO_DOMAIN,
    visitors: filling?.done ?? 0,
    visitors_in_all: filling?.total ?? 0,
    ...(failure !== undefined && { message: failure }),
  };
}
