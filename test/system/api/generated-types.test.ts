import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { shareServer } from '../../server/share-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The components that the dashboard uses, by the contract's types. Both must allow the same. */
const ANSWERS: Readonly<Record<string, readonly [type: string, file: string]>> = {
  Error: ['ErrorAnswer', 'error.ts'],
  Money: ['Money', 'query-fields.ts'],
  MetricValue: ['MetricValue', 'query.ts'],
  QueryAnswer: ['QueryAnswer', 'query.ts'],
  QueryJourneysAnswer: ['JourneysAnswer', 'reports/journeys.ts'],
  QueryRetentionAnswer: ['RetentionAnswer', 'reports/retention.ts'],
  QueryMrrAnswer: ['MrrAnswer', 'reports/mrr.ts'],
  VisitorsAnswer: ['VisitorsAnswer', 'people.ts'],
  PersonsAnswer: ['PersonsAnswer', 'people.ts'],
  Story: ['StoryAnswer', 'story.ts'],
  Payment: ['ListedPayment', 'payments/payment-list.ts'],
  ListPaymentsAnswer: ['PaymentsAnswer', 'payments/payment-list.ts'],
  LiveAnswer: ['LiveAnswer', 'live.ts'],
  Step: ['Step', 'step.ts'],
  Within: ['Within', 'step.ts'],
  Segment: ['Segment', 'sites/saved.ts'],
  Funnel: ['SavedFunnel', 'sites/saved.ts'],
  Annotation: ['Annotation', 'sites/saved.ts'],
  Erasure: ['ErasureReceipt', 'visitor.ts'],
  MeAnswer: ['MeAnswer', 'logins/me.ts'],
  SignInOptionsAnswer: ['SignInOptionsAnswer', 'logins/sign-in.ts'],
  FindInvitationAnswer: ['InvitationAnswer', 'logins/invitations.ts'],
  Site: ['SiteAnswer', 'sites/site.ts'],
  Key: ['KeyAnswer', 'sites/keys.ts'],
  ListMembersAnswer: ['MembersAnswer', 'sites/members.ts'],
  ListChangesAnswer: ['AuditAnswer', 'sites/audit.ts'],
  ListSharesAnswer: ['SharesAnswer', 'sites/shares.ts'],
  FindSharedAnswer: ['SharedAnswer', 'sites/shares.ts'],
  SiteHealthAnswer: ['HealthAnswer', 'sites/health.ts'],
  ExamineServerAnswer: ['ExaminationAnswer', 'sites/health.ts'],
  InsightsAnswer: ['InsightsAnswer', 'reports/insights.ts'],
  FindDropsAnswer: ['DropsAnswer', 'reports/drops.ts'],
};
/** Those in which the description lists names that the contract leaves open. */
const WITH_NAMES: typeof ANSWERS = {
  QueryFunnelAnswer: ['FunnelAnswer', 'reports/funnel.ts'],
  QueryPurchasePathsAnswer: ['PurchasePathsAnswer', 'reports/purchase-paths.ts'],
  QueryLtvAnswer: ['LtvAnswer', 'reports/ltv.ts'],
  QueryRequest: ['SentQuery', 'query.ts'],
  Event: ['EventRequest', 'event.ts'],
  Notices: ['Notices', 'sites/notices.ts'],
  CreateGoalRequest: ['GoalRequest', 'goal.ts'],
  CreatePaymentRequest: ['PaymentRequest', 'payments/payment.ts'],
};

describe('the types that a client generates from the description of the API', () => {
  it('compile, and are those that the dashboard uses', async () => {
    const { url } = await shareServer();
    const text = await (await fetch(`${url}/openapi.json`)).text();
    const folder = mkdtempSync(join(ROOT, 'node_modules/.api-types-'));
    try {
      writeFileSync(join(folder, 'api.ts'), await generateTypes(text));
      writeFileSync(join(folder, 'check.ts'), writeCheck());
      const config = { extends: join(ROOT, 'tsconfig.json'), files: ['check.ts'], include: [] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      await compile(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** The generator is made for another version of TypeScript than ours. */
async function generateTypes(document: string): Promise<string> {
  const compiler = new URL('typescript-5.ts', import.meta.url).href;
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? compiler : name, context),
  });
  const { default: toTypes, astToString } = await import('openapi-typescript');
  hooks.deregister();
  return astToString(await toTypes(document));
}

function writeCheck(): string {
  const import_ = ([type, file]: readonly [string, string]) =>
    `import('${join(ROOT, 'src/contract', file)}').${type}`;
  const same = Object.entries(ANSWERS).map(
    ([name, own]) => `Same<Schemas['${name}'], ${import_(own)}>`,
  );
  const narrower = Object.entries(WITH_NAMES).map(
    ([name, own]) => `Is<Schemas['${name}'], ${import_(own)}>`,
  );
  return `import type { components } from './api.ts';
type Schemas = components['schemas'];
type Is<One extends Other, Other> = One;
type Same<One extends Other, Other extends Again, Again = One> = [One, Other, Again];
export type All = [${[...same, ...narrower].join(',\n')}];
`;
}

async function compile(folder: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const ended = promisify(execFile)(process.execPath, [tsc, '-p', folder]);
  await ended.catch(({ stdout }) => assert.fail(stdout));
}
