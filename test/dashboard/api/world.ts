import type { Answers } from './fake-api.ts';
import { answerQuery } from './figures.ts';
import type { AnswerOf } from './routes.ts';

/** The present of the small world: noon of its last day. */
export const NOW = Date.parse('2026-11-30T12:00:00Z');

/** The site of the small world. */
export const TEA = {
  ...{ id: 'site_tea', domain: 'tea.example', name: '', timezone: 'UTC', currency: 'EUR' },
  ...{ has_payments: true, has_costs: false, role: 'owner' },
} as const satisfies AnswerOf<'GET /api/v1/me'>['sites'][number];

/** Who is signed in: the owner of the server. */
export const ME: AnswerOf<'GET /api/v1/me'> = {
  user: {
    ...{ id: 'user_ada', name: 'Ada Lovelace', email: 'ada@tea.example' },
    ...{ is_owner: true, two_factor: false },
  },
  sites: [TEA],
  pending_email: null,
};

/** The same person with another site, or one seen otherwise: as its viewer, say, or before its first payment. */
export function ofSite(site: Partial<AnswerOf<'GET /api/v1/me'>['sites'][number]>): Answers {
  return { 'GET /api/v1/me': { ...ME, sites: [{ ...TEA, ...site }] } };
}

const HEALTH: AnswerOf<'GET /api/v1/sites/:id/health'> = {
  ...{ ready: true, behind_seconds: 0, pageview_at: null, event_at: null },
  ...{ dropped: [], refused_hosts: [], checks: [] },
};

/** What the API answers in the small world. */
export const WORLD: Answers = {
  'GET /api/v1/me': ME,
  'GET /api/sign-in-options': { mail: true, oidc: null, has_owner: true },
  'POST /api/v1/query': answerQuery,
  'GET /api/v1/live': {
    now: '2026-11-30T12:00:00Z',
    visitors: { last_5_minutes: 1, last_30_minutes: 2 },
    ...{ minutes: [], pages: [], sources: [], countries: [] },
  },
  'GET /api/v1/drops': {
    results: [{ hour: '2026-11-29T10:00:00Z', reason: 'host_not_allowed', count: 3 }],
    samples: [],
  },
  'GET /api/v1/demo': { state: 'none', domain: 'demo.example', visitors: 0, visitors_in_all: 0 },
  'GET /api/v1/sites/:id/script': {
    path: '/js/script.js',
    src: 'https://tributary.test/js/script.js',
    tag: '<script defer src="https://tributary.test/js/script.js" data-domain="tea.example"></script>',
  },
  'GET /api/v1/sites/:id/health': HEALTH,
  'GET /api/v1/sites/:id/segments': { segments: [] },
  'GET /api/v1/sites/:id/funnels': { funnels: [] },
  'GET /api/v1/sites/:id/annotations': { annotations: [] },
};
