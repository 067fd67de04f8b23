import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError, request } from '../api/api.ts';
import { Field } from '../ui/field.tsx';
import { Form, FormFault } from '../ui/form.tsx';
import { wordsClass } from '../ui/layout.tsx';
import { Unloaded } from '../ui/note.tsx';
import { Door } from './door.tsx';
import { isLinkValid, takeToken } from './kept-token.ts';

/** The setup link's target: creates the owner login. */
export function StartPage() {
  const [token] = useState(takeToken);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const start = useQuery({
    queryKey: ['start'],
    queryFn: async ({ signal }) => {
      await request('/api/start', { signal });
      const login = { name: '', email: '', password: '' } as const;
      return { isValid: await isLinkValid('/api/start', { token, ...login }, signal) };
    },
  });
  // A better link pasted into this page's address changes only its hash, so the browser loads nothing.
  useEffect(() => {
    const reload = () => location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
  const begin = async (values: Readonly<Record<string, string>>) => {
    await request('/api/start', { body: { ...values, token } });
    await client.invalidateQueries({ queryKey: ['me'] });
    navigate('/', { replace: true });
  };
  if (start.error instanceof ApiError && start.error.status === 404) return <TakenPage />;
  if (start.data === undefined) return <Unloaded {...start} height={320} />;
  if (token === '') return <NoTokenPage />;
  if (!start.data.isValid) return <OverPage />;
  return (
    <Door title="Welcome" lead="Create your login. You will be the owner of this server.">
      <Form action="Create login" onSubmit={begin}>
        <Field {...{ label: 'Your name', name: 'name' }} autoComplete="name" required autoFocus />
        <Field
          {...{ label: 'E-mail', name: 'email', type: 'email' }}
          autoComplete="username"
          required
        />
        <Field
          {...{ label: 'Password', name: 'password', type: 'password' }}
          hint="At least ten characters."
          minLength={10}
          autoComplete="new-password"
          required
        />
        <FormFault of="token">
          {(fault) => (
            <>
              {`This link ${fault}. `}
              Run <code>npm run tributary -- admin link</code> on the server for a new one.
            </>
          )}
        </FormFault>
      </Form>
    </Door>
  );
}

function TakenPage() {
  return (
    <Door title="An owner already exists" lead="This link was for the first login.">
      <Link to="/sign-in" className={wordsClass('link')}>
        Sign in
      </Link>
    </Door>
  );
}

function OverPage() {
  return (
    <Door
      title="This link does not work"
      lead={
        <>
          It was used, has expired or never existed. Run{' '}
          <code>npm run tributary -- admin link</code> on the server for a new one.
        </>
      }
    >
      {null}
    </Door>
  );
}

function NoTokenPage() {
  return (
    <Door
      title="The link is incomplete"
      lead={
        <>
          The link that the server printed has a token after <code>#</code>. Run{' '}
          <code>npm run tributary -- admin link</code> on the server for a new one.
        </>
      }
    >
      {null}
    </Door>
  );
}
