import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { request } from '../api/api.ts';
import { Form, FormFault, type FormValues } from '../ui/form.tsx';
import { Unloaded } from '../ui/loaded.tsx';
import { EMAIL, NEW_PASSWORD, YOUR_NAME } from '../widgets/account/login.ts';
import { Door, takeToken, useLink, useOptions } from './door.tsx';

/** The setup link's target: creates the owner login. */
export function StartPage() {
  const [token] = useState(takeToken);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const options = useOptions();
  const link = useLink('start', token);
  // A better link pasted into this page's address changes only its hash, so the browser loads nothing.
  useEffect(() => {
    const reload = () => location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
  const begin = async (values: FormValues) => {
    await request('/api/start', { body: { ...values, token } });
    await client.invalidateQueries({ queryKey: ['me'] });
    navigate('/', { replace: true });
  };
  if (options.data === undefined) return <Unloaded {...options} height={320} />;
  if (options.data.has_owner) return <Door {...TAKEN} />;
  if (token === '') return <Door {...NO_TOKEN} />;
  if (link.data === undefined) return <Unloaded {...link} height={320} />;
  if (!link.data.works) return <Door {...OVER} />;
  return (
    <Door title="Welcome" lead="Create your login. You will be the owner of this server.">
      <Form
        {...{ action: 'Create login', onSubmit: begin }}
        fields={[{ ...YOUR_NAME, autoFocus: true }, EMAIL, NEW_PASSWORD]}
      >
        <FormFault of="token">
          {(fault) => (
            <>
              {`This link ${fault}. `}
              {NEW_LINK}
            </>
          )}
        </FormFault>
      </Form>
    </Door>
  );
}

const NEW_LINK = (
  <>
    Run <code>npm run tributary -- admin link</code> on the server for a new one.
  </>
);

const TAKEN = {
  ...{ title: 'An owner already exists', lead: 'This link was for the first login.' },
  link: ['/sign-in', 'Sign in'],
} as const;

const OVER = {
  title: 'This link does not work',
  lead: <>It was used, has expired or never existed. {NEW_LINK}</>,
};

const NO_TOKEN = {
  title: 'The link is incomplete',
  lead: (
    <>
      The link that the server printed has a token after <code>#</code>. {NEW_LINK}
    </>
  ),
};
