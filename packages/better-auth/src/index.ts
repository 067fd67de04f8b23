import {
  checkoutMetadata,
  createTributary,
  signUserId,
  type Tributary,
  visitorFrom,
} from '@tributary/server';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { IDENTITY_HEADER } from './identity-header.ts';

/** What the plug-in tells Tributary, and how. */
export type TributaryPluginOptions = {
  /** The client that identifies visitors. Default: one by `TRIBUTARY_URL` and `TRIBUTARY_KEY`; `false`: none. */
  readonly tributary?: Tributary | false;
  /**
   * The site's identity secret. With it, browsers identify themselves with a signed `user_hash`, through
   * `tributaryClient`.
   */
  readonly identitySecret?: string | undefined;
  /** Whether Tributary learns verified e-mail addresses, which join payments that name no visitor. Default: no. */
  readonly email?: boolean;
};

/** The endpoints of Better Auth's plug-ins for Stripe, Polar and Creem that create a checkout. */
const CHECKOUTS: ReadonlySet<string | undefined> = new Set([
  '/subscription/upgrade',
  '/checkout',
  '/creem/create-checkout',
]);

type MiddlewareContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

type Person = {
  readonly id: string;
  readonly email?: string | null;
  readonly emailVerified?: boolean;
  readonly isAnonymous?: boolean | null;
};

/**
 * A plug-in that tells Tributary who a visitor is, when they sign up or in, and puts the visitor's id into the metadata of
 * checkouts, so that payments find their visitor.
 *
 * - Nobody waits for Tributary, and no failure of it reaches a sign-up.
 */
export function tributary(options: TributaryPluginOptions = {}) {
  const {
    tributary: client = createTributary(),
    identitySecret,
    email: hasEmail = false,
  } = options;

  async function identify(person: Person, visitor: string | undefined): Promise<void> {
    if (client === false || visitor === undefined) return;
    // Anybody can sign up with somebody else's address.
    const email = hasEmail && person.emailVerified ? (person.email ?? undefined) : undefined;
    const identity = { service_visitor_id: visitor, user_id: person.id, email };
    // The same facts are sent once a day, however often somebody signs in.
    const idempotencyKey = `better-auth-${await signUserId(JSON.stringify(identity), person.id)}`;
    client.queue.identify(identity, { idempotencyKey });
  }

  const carryVisitor = createAuthMiddleware(async ({ headers }) => {
    const visitor = headers && visitorFrom(headers);
    if (visitor === undefined) return;
    return { context: { body: { metadata: checkoutMetadata(visitor) } } };
  });

  const tellWho = createAuthMiddleware((ctx) =>
    tell(ctx).catch((error: unknown) => {
      ctx.context.logger.error('Tributary was not told who has signed in.', error);
    }),
  );

  async function tell(ctx: MiddlewareContext): Promise<void> {
    const { newSession, returned } = ctx.context;
    const signedUp = ctx.path?.startsWith('/sign-up/') ? personOf(returned) : undefined;
    const person: Person | undefined = newSession?.user ?? signedUp;
    if (person === undefined || person.isAnonymous) return;
    await identify(person, ctx.headers && visitorFrom(ctx.headers));
    if (identitySecret === undefined || !newSession) return;
    const hash = await signUserId(person.id, identitySecret);
    ctx.setHeader(IDENTITY_HEADER, `${hash} ${encodeURIComponent(person.id)}`);
    ctx.setHeader('access-control-expose-headers', IDENTITY_HEADER);
  }

  return {
    id: 'tributary',
    hooks: {
      before: [{ matcher: ({ path }) => CHECKOUTS.has(path), handler: carryVisitor }],
      after: [{ matcher: () => true, handler: tellWho }],
    },
  } satisfies BetterAuthPlugin;
}

/** Who has signed up, where a session begins only after their e-mail address is verified. */
function personOf(returned: unknown): Person | undefined {
  const { user } = (returned ?? {}) as { readonly user?: Partial<Person> | null };
  return typeof user?.id === 'string' ? (user as Person) : undefined;
}
