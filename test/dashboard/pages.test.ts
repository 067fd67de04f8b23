import { describe, it } from 'node:test';
import { type Answers, refuse } from './api/fake-api.ts';
import { answerQuery } from './api/figures.ts';
import type { RouteName } from './api/routes.ts';
import { ofSite } from './api/world.ts';
import { openPage } from './browser/open-page.ts';

const FULL = 'The disk is full.';

/** Each page of a site: what it shows in the small world, and what it asks for that. */
const PAGES: readonly (readonly [path: string, shown: string | RegExp, route: RouteName])[] = [
  ['', /^Organic Search$/, 'POST /api/v1/query'],
  ['/attribution', /^Organic Search$/, 'POST /api/v1/query'],
  [
    '/funnels?step=page,/&step=goal,signup&step=payment',
    /1 of 3 people/,
    'POST /api/v1/query/funnel',
  ],
  ['/retention', '50.0%', 'POST /api/v1/query/retention'],
  ['/retention?show=ltv', '€20.00', 'POST /api/v1/query/ltv'],
  ['/retention?show=mrr', '€15.00', 'POST /api/v1/query/mrr'],
  ['/journeys', /^\/teas$/, 'POST /api/v1/query/journeys'],
  ['/people', 'ada@customers.example', 'POST /api/v1/query/persons'],
  ['/people/person-ada', 'signup', 'GET /api/v1/persons/:id'],
  ['/payments', 'Teapot', 'GET /api/v1/payments'],
  ['/payments/order_ada', 'Attributed', 'GET /api/v1/payments/:id'],
  ['/live', '/teas', 'GET /api/v1/live'],
  ['/settings/general', 'General', 'GET /api/v1/sites/:id'],
  ['/settings/privacy', 'Cookies', 'GET /api/v1/sites/:id'],
  ['/settings/channels', /Add rule/, 'GET /api/v1/sites/:id'],
  ['/settings/script', /data-site="tea\.example"/, 'GET /api/v1/sites/:id/script'],
  ['/settings/keys', /^Shop/, 'GET /api/v1/sites/:id/keys'],
  ['/settings/people', 'Vera', 'GET /api/v1/sites/:id/members'],
  ['/settings/sharing', /Investors/, 'GET /api/v1/sites/:id/shares'],
  ['/settings/mail', /ada@tea\.example/, 'GET /api/v1/sites/:id/notices'],
  ['/settings/health', /The stores answer/, 'GET /api/v1/sites/:id/health'],
  ['/settings/providers', /payments/i, 'GET /api/v1/sites/:id/providers'],
  ['/settings/spend', /Nothing has been imported/, 'GET /api/v1/sites/:id/costs'],
];

describe('every page of a site', () => {
  for (const [path, shown, route] of PAGES) {
    it(`shows its part of the small world, or why not: ${path || '/'}`, async (t) => {
      const { api, screen, open } = await openPage(t, `/tea.example${path}`);
      await screen.findAllByText(shown);
      const refused: Answers = { [route]: refuse('internal', FULL) };
      api.answer(refused);
      localStorage.clear();
      open();
      await screen.findAllByText(new RegExp(FULL));
    });
  }

  /** Pages that nobody has filled yet. */
  const EMPTY: readonly (readonly [path: string, said: string | RegExp, Answers])[] = [
    ['/payments', /No payments/, { 'GET /api/v1/payments': { results: [], meta: {} } }],
    ['/journeys?start=page,/nowhere', /Nobody took this path/, {}],
    ['/settings/keys', /There are no keys/, { 'GET /api/v1/sites/:id/keys': { keys: [] } }],
    ['/settings/sharing', /Create link/, { 'GET /api/v1/sites/:id/shares': { shares: [] } }],
    [
      '?tab=sources',
      /No visits match/,
      {
        'POST /api/v1/query': (call) =>
          call.body.date_range === 'all'
            ? answerQuery(call)
            : answerQuery(call, { visits: [], payments: [] }),
      },
    ],
  ];
  for (const [path, said, answers] of EMPTY) {
    it(`says what is missing while it is empty: ${path}`, async (t) => {
      const { screen } = await openPage(t, `/tea.example${path}`, answers);
      await screen.findAllByText(said);
    });
  }

  it('of the settings that change something are not shown to viewers', async (t) => {
    const { screen, open, part } = await openPage(t, '/tea.example/settings/health', {
      ...ofSite({ role: 'viewer' }),
    });
    const settings = await part('navigation', 'Settings');
    await settings.findByRole('link', { name: 'Health' });
    for (const name of ['API keys', 'General', 'People', 'Sharing', 'Payment providers']) {
      if (settings.queryByRole('link', { name })) throw new Error(`viewers see ${name}`);
    }
    open('/tea.example/people/person-ada');
    await screen.findByText('signup');
    if (screen.queryByRole('link', { name: /^Erase/ })) throw new Error('viewers may erase');
    open('/tea.example/payments/order_unknown');
    await screen.findByText(/An admin can set the visitor\./);
  });
});
