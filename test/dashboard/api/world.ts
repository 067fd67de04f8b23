import type { Answers } from './fake-api.ts';
import { answerQuery } from './figures.ts';
import { PEOPLE } from './people.ts';
import { REPORTS } from './reports.ts';
import type { AnswerOf } from './routes.ts';
import { SETTINGS } from './settings.ts';

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

/** What the API answers in the small world. */
export const WORLD: Answers = {
  'GET /api/v1/me': ME,
  'GET /api/sign-in-options': { mail: true, oidc: null, has_owner: true },
  'POST /api/v1/query': (call) => answerQuery(call),
  'GET /api/v1/demo': { state: 'none', domain: 'demo.example', visitors: 0, visitors_in_all: 0 },
  ...REPORTS,
  ...PEOPLE,
  ...SETTINGS,
};
