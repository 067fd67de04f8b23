import './ui/tokens.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { Redirect, Route, Switch } from 'wouter';
import { ApiError, onSignedOut } from './api/api.ts';
import { SiteFrame } from './pages/site-frame.tsx';
import { SitesPage } from './pages/sites.tsx';
import { keepFocus } from './ui/kept-focus.ts';
import { lazyPart } from './ui/loaded.tsx';
import { applyLook, applyTheme } from './ui/theme.ts';
import { SignedIn } from './widgets/account/signed-in.tsx';
import { LostLine, Shell } from './widgets/head/head.tsx';

const SignInPage = lazyPart(() => import('./pages/sign-in.tsx'), 'SignInPage');
const InvitePage = lazyPart(() => import('./pages/invite.tsx'), 'InvitePage');
const AccountPage = lazyPart(() => import('./pages/account.tsx'), 'AccountPage');
const ResetPage = lazyPart(() => import('./pages/reset.tsx'), 'ResetPage');
const ForgottenPage = lazyPart(() => import('./pages/reset.tsx'), 'ForgottenPage');
const EmailPage = lazyPart(() => import('./pages/email.tsx'), 'EmailPage');
const UnsubscribePage = lazyPart(() => import('./pages/email.tsx'), 'UnsubscribePage');
const SharePage = lazyPart(() => import('./pages/share.tsx'), 'SharePage');
const SeveralSitesPage = lazyPart(() => import('./pages/several-sites.tsx'), 'SeveralSitesPage');
const StartPage = lazyPart(() => import('./pages/start.tsx'), 'StartPage');

function App({ client }: { readonly client: QueryClient }) {
  useEffect(keepFocus, []);
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<Shell />}>
        <Switch>
          <Route path="/sign-in" component={SignInPage} />
          <Route path="/start" component={StartPage} />
          <Route path="/reset" component={ResetPage} />
          <Route path="/forgotten" component={ForgottenPage} />
          <Route path="/email" component={EmailPage} />
          <Route path="/unsubscribe/:token" component={UnsubscribePage} />
          <Route path="/invite" component={InvitePage} />
          <Route path="/share/:token" component={SharePage} />
          <Route path="/share/:token/embed" component={SharePage} />
          <Route>
            <SignedIn>
              <Switch>
                <Route path="/" component={SitesPage} />
                <Route path="/sites" component={SeveralSitesPage} />
                <Route path="/account" component={AccountPage} />
                <Route path="/:domain/*?">{({ domain }) => <SiteFrame domain={domain} />}</Route>
              </Switch>
            </SignedIn>
          </Route>
          {/* A path with a line separator, which is none of ours, matches no pattern. */}
          <Route path={/^/}>
            <Redirect to="/" replace />
          </Route>
        </Switch>
      </Suspense>
      <LostLine />
    </QueryClientProvider>
  );
}

/** Shows the whole dashboard. Answers stay fresh for half a minute; transient failures are retried ever later. */
export function openApp(root: Root): void {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 30 * 60_000,
        retry: (count, error) => error instanceof ApiError && error.isPassing && count < 4,
        retryDelay: (count) => Math.min(1_000 * 2 ** count, 15_000),
      },
    },
  });
  // A session that ended elsewhere redirects to sign-in.
  onSignedOut(() => void client.invalidateQueries({ queryKey: ['me'] }));
  root.render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
}

if (location.pathname.startsWith('/share/')) applyLook(new URLSearchParams(location.search));
else applyTheme();
const element = document.getElementById('root');
if (element !== null) openApp(createRoot(element)); // Tests open it themselves.
