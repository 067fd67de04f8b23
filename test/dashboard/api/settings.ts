import { type Answers, refuse } from './fake-api.ts';
import type { AnswerOf } from './routes.ts';

/** The site's settings. */
export const SITE: AnswerOf<'GET /api/v1/sites/:id'> = {
  ...{ id: 'site_tea', domain: 'tea.example', name: '', timezone: 'UTC', currency: 'EUR' },
  ...{ allowed_hosts: [], channels: [], has_identity_secret: false },
  created_at: '2026-10-01T00:00:00Z',
  settings: {
    ...{ retention: null, provider_events: null, data_centres: null, cookieless: null },
    ...{ identify: null, mask_paths: null, exclude: null },
  },
};

/** A live key of a backend. */
export const KEY: AnswerOf<'GET /api/v1/sites/:id/keys'>['keys'][number] = {
  ...{ id: 'key_1', name: 'Shop', scopes: ['events:write', 'payments:write'], prefix: 'trb_' },
  ...{ last4: 'a1b2', state: 'live', created_at: '2026-10-02T00:00:00Z', expires_at: null },
  ...{ revoked_at: null, last_used_at: null },
};

/** A link that shows sources. */
export const SHARE: AnswerOf<'GET /api/v1/sites/:id/shares'>['shares'][number] = {
  ...{ id: 'share_1', name: 'Investors', url: 'https://tributary.test/share/link-1' },
  embed_url: 'https://tributary.test/share/link-1/embed',
  ...{ has_password: false, panels: ['figures', 'sources'], revenue: false, filters: [] },
  ...{ created_at: '2026-11-01T00:00:00Z', created_by: 'Ada Lovelace', last_used_at: null },
};

/** Nothing is sent. */
export const NOTICES: AnswerOf<'GET /api/v1/sites/:id/notices'> = {
  ...{ mail: true, email: 'ada@tea.example', open: [] },
  subscription: { summary: 'off', alerts: false },
  alerts: { kinds: [], webhook_url: null },
};

type Member = AnswerOf<'GET /api/v1/sites/:id/members'>['members'][number];

const OWNER: Member = {
  ...{ user_id: 'user_ada', name: 'Ada Lovelace', email: 'ada@tea.example', role: 'owner' },
  ...{ is_owner: true, two_factor: false },
};

/** Somebody who may look at the site. */
export const VIEWER: Member = {
  ...{ user_id: 'user_vera', name: 'Vera', email: 'vera@tea.example', role: 'viewer' },
  ...{ is_owner: false, two_factor: true },
};

const SESSION = {
  ...{ id: 'session_1', token: 'token_1', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/145.0' },
  ...{ ipAddress: '', createdAt: '2026-11-30T08:00:00Z', updatedAt: '2026-11-30T08:00:00Z' },
  expiresAt: '2026-12-30T08:00:00Z',
};

/** The settings of the small world's site and person. */
export const SETTINGS: Answers = {
  'GET /api/v1/sites/:id': SITE,
  'GET /api/v1/sites/:id/script': {
    path: '/js/script.js',
    src: 'https://tributary.test/js/script.js',
    tag: '<script defer src="https://tributary.test/js/script.js" data-domain="tea.example"></script>',
  },
  'GET /api/v1/sites/:id/health': {
    ...{ ready: true, behind_seconds: 0, pageview_at: null, event_at: null },
    dropped: [{ reason: 'hostname_not_allowed', count: 3 }],
    refused_hosts: ['elsewhere.example'],
    checks: [{ name: 'ready', ok: true, message: 'The stores answer.' }],
  },
  'GET /api/v1/doctor': {
    healthy: true,
    findings: [{ check: 'disk', ok: true, found: '10 GB are free.' }],
  },
  'GET /api/v1/sites/:id/members': { members: [OWNER, VIEWER], invitations: [] },
  'GET /api/v1/sites/:id/keys': { keys: [KEY] },
  'GET /api/v1/sites/:id/notices': NOTICES,
  'GET /api/v1/sites/:id/shares': { shares: [SHARE] },
  'GET /api/v1/sites/:id/providers': { connections: [], providers: [] },
  'GET /api/v1/sites/:id/costs': { imports: [] },
  'GET /api/v1/sites/:id/audit': { entries: [] },
  'GET /api/v1/audit': { entries: [] },
  'GET /api/v1/sites/:id/segments': { segments: [] },
  'GET /api/v1/sites/:id/funnels': { funnels: [] },
  'GET /api/v1/sites/:id/annotations': { annotations: [] },
  'GET /api/auth/:what': ({ params: { what } }) =>
    what === 'list-sessions' ? [SESSION] : { session: SESSION },
  'GET /api/v1/share': refuse('not_found'),
};
