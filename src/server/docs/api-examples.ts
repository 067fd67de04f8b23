import {
  VISITOR_ID_EXAMPLE as service_visitor_id,
  TRANSACTION_ID_EXAMPLE as transaction_id,
} from '#contract/text.ts';

const pageview = {
  site: 'example.com',
  type: 'pageview',
  service_visitor_id,
  url: 'https://example.com/pricing?utm_source=newsletter',
  referrer: 'https://www.google.com/',
};
const period = { site_id: 'example.com', date_range: '30d' };
const query = {
  ...period,
  metrics: ['visitors', 'conversion_rate', 'revenue'],
  dimensions: ['visit:source'],
  filters: [['is', 'visit:device', ['Desktop', 'Mobile']]],
  order_by: [['revenue', 'desc']],
};
const people = { ...period, order_by: [['revenue', 'desc']], pagination: { limit: 20 } };
const person = { name: 'Anna', email: 'anna@example.com', password: 'a long passphrase' };

/** Example bodies that each operation accepts, on a site `example.com` that has seen the first event. */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  createEvents: pageview,
  createGoal: { service_visitor_id, name: 'newsletter_signup', metadata: { plan: 'pro' } },
  createPayment: {
    ...{ amount: 29.99, currency: 'USD', transaction_id, service_visitor_id },
    ...{ email: 'anna@example.com', customer_id: 'cus_42' },
  },
  importCosts: {
    file: 'costs.csv',
    csv: 'date,source,medium,campaign,amount,currency\n2026-11-20,google,cpc,autumn,120.50,EUR\n',
    dry_run: true,
  },
  recordCosts: {
    costs: [
      {
        ...{ date: '2026-11-20', source: 'google', medium: 'cpc', campaign: 'autumn' },
        ...{ amount: 120.5, currency: 'EUR' },
      },
    ],
  },
  correctPayment: { service_visitor_id },
  openOwnVisitsLink: { excluded: true },
  identify: { service_visitor_id, user_id: '42', traits: { plan: 'pro' } },
  query,
  queryV2: query,
  queryFunnel: {
    ...period,
    steps: [
      { type: 'page', path: '/pricing' },
      { type: 'goal', name: 'newsletter_signup' },
      { type: 'payment', kind: 'new' },
    ],
  },
  queryJourneys: { ...period, from: { type: 'page', path: '/pricing' }, depth: 3 },
  queryPurchasePaths: { ...period, dimensions: ['visit:source'] },
  queryRetention: { ...period, unit: 'week', cohort: 'first_visit' },
  queryLtv: { ...period, group_by: 'visitor:first_source', months: 6 },
  queryMrr: period,
  querySites: {
    ...{ site_ids: ['example.com'], date_range: '30d', currency: 'EUR' },
    ...{ metrics: ['visitors', 'revenue'], include: { totals: true } },
  },
  ...{ visitors: people, persons: people },
  checkLink: { of: 'start', token: 'token-of-the-link' },
  start: { ...person, token: 'token-of-the-link' },
  requestReset: { email: person.email },
  resetPassword: { token: 'token-of-the-link', password: person.password },
  inviteMember: { email: 'ben@example.com', role: 'viewer' },
  changeMember: { role: 'admin' },
  changeMe: { name: 'Anna' },
  confirmEmail: { token: 'token-of-the-link' },
  findInvitation: { token: 'token-of-the-link' },
  acceptInvitation: { token: 'token-of-the-link', name: 'Ben', password: person.password },
  addSite: { domain: 'shop.example', timezone: 'Europe/Berlin', currency: 'EUR' },
  changeSite: { name: 'The shop', settings: { retention: '25mo', cookieless: null } },
  createKey: { name: 'backend', scopes: ['goals:write', 'payments:write'] },
  addSegment: { name: 'From Google', filters: [['is', 'visit:source', ['Google']]], shared: true },
  changeSegment: { name: 'Google' },
  addFunnel: {
    name: 'Sign-up',
    steps: [
      { type: 'page', path: '/pricing' },
      { type: 'goal', name: 'signup' },
    ],
  },
  changeFunnel: { within: 'visit' },
  addAnnotation: { at: '2026-11-09', text: 'New prices' },
  changeAnnotation: { text: 'New prices, and a newsletter' },
  createShare: {
    ...{ name: 'For the agency', password: 'a long passphrase', revenue: false },
    panels: ['figures', 'channels', 'pages'],
    filters: [['is', 'visit:campaign', ['spring']]],
  },
  openShare: { password: 'a long passphrase' },
  rotateKey: { overlap_hours: 24 },
  subscribe: { summary: 'weekly', alerts: true },
  sendTestAlert: { to: 'webhook' },
  setAlerts: {
    kinds: ['traffic', 'revenue', 'no_traffic'],
    webhook_url: 'https://hooks.example.com/tributary',
  },
  connectProvider: { provider: 'stripe', fields: { signing_secret: 'whsec_of_the_endpoint' } },
  changeProvider: { name: 'Stripe of the shop' },
  previewProvider: { fields: { amount: 'data.total', currency: 'data.currency', id: 'data.id' } },
  replayProvider: { failed: true },
  readProviderHistory: { since: '2026-01-01T00:00:00Z' },
  signInAtProvider: { next: '/example.com' },
};
