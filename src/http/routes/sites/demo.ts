import Type, { type Static } from 'typebox';
import { DEMO_DOMAIN, isDemoUnfinished } from '#contract/demo.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { personOf, requirePerson } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { removeSite } from './remove-site.ts';
import { byPeople, requireOwner } from './site-request.ts';

const STATES = ['none', 'filling', 'ready', 'failed'] as const;
const Demo = Type.Object(
  {
    state: Type.Enum(STATES),
    domain: Type.String(),
    visitors: Type.Integer({ description: 'The number of visitors sent so far.' }),
    visitors_in_all: Type.Integer({ description: 'The total; 0 until the first are sent.' }),
    message: Type.Optional(Type.String({ description: 'Why it failed.' })),
  },
  { description: 'The state of the demo shop.' },
);
type Demo = Static<typeof Demo>;

const UNFINISHED =
  'The demo shop is not full: filling it was broken off, or a command still does. Fill it again, or remove it.';

/** `/api/v1/demo`: a made-up shop to explore, added and removed by the owner. */
export function addDemoRoutes(server: Server, deps: ReadDeps): void {
  const { accounts, demo, siteStore } = deps;
  const url = '/api/v1/demo';
  server.route({
    method: 'GET',
    url,
    onRequest: requirePerson(accounts),
    schema: byPeople('findDemo', 'Get the state of the demo shop', {
      response: { 200: Demo, ...readErrors() },
    }),
    handler: () => findDemo(deps),
  });
  server.route({
    method: 'POST',
    url,
    onRequest: requireOwner(deps),
    schema: byPeople('addDemo', 'Add the demo shop, with made-up visitors and payments', {
      description: 'Filling it takes a few seconds and continues in the background.',
      response: { 202: Demo, ...bodyErrors() },
    }),
    async handler(request, reply) {
      const person = personOf(request);
      const { state } = await findDemo(deps);
      if (state === 'none' || state === 'failed') {
        // The remains of a failed attempt would block a new one.
        if (siteStore.findSite(DEMO_DOMAIN)) await removeSite(deps, person, DEMO_DOMAIN);
        demo.start();
        await accounts.audit.note(person, {
          siteId: '',
          what: 'demo shop added',
          about: DEMO_DOMAIN,
        });
      }
      reply.status(202);
      return findDemo(deps);
    },
  });
  server.route({
    method: 'DELETE',
    url,
    onRequest: requireOwner(deps),
    schema: byPeople('removeDemo', 'Remove the demo shop', {
      response: { 200: Demo, ...readErrors() },
    }),
    async handler(request) {
      demo.stop();
      if (siteStore.findSite(DEMO_DOMAIN)) await removeSite(deps, personOf(request), DEMO_DOMAIN);
      return findDemo(deps);
    },
  });
}

async function findDemo({ demo, siteStore }: ReadDeps): Promise<Demo> {
  const filling = demo.find();
  const site = siteStore.findSite(DEMO_DOMAIN);
  const isLeft = site !== undefined && isDemoUnfinished(await siteStore.listKeys(site.id));
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
