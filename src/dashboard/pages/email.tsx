import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { request } from '../api/api.ts';
import { Form, FormFault } from '../ui/form.tsx';
import { SignedIn } from '../widgets/account/signed-in.tsx';
import { Door, forgetToken, takeKeptToken } from './door.tsx';

const KEPT = 'new address';

/** The target of the link sent to a new address. Asks for confirmation, as programs open links, too. */
export function EmailPage() {
  const [token] = useState(() => takeKeptToken(KEPT));
  return (
    <SignedIn>
      <ConfirmPage token={token} />
    </SignedIn>
  );
}

function ConfirmPage({ token }: { readonly token: string }) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const confirm = async () => {
    await request('/api/v1/me/email', { body: { token } });
    forgetToken(KEPT);
    await client.invalidateQueries({ queryKey: ['me'] });
    navigate('/account', { replace: true });
  };
  return (
    <Door title="Confirm your new address" lead="You sign in with it from now on.">
      <Form action="Confirm" onSubmit={confirm}>
        <FormFault of="token">{(fault) => `This link ${fault}.`}</FormFault>
      </Form>
    </Door>
  );
}

/** The target of a mail's unsubscribe link; asks for confirmation, as programs open links, too. */
export function UnsubscribePage() {
  const { token = '' } = useParams<{ readonly token: string }>();
  const [isDone, setDone] = useState(false);
  const end = async () => {
    await request(`/unsubscribe/${encodeURIComponent(token)}`, { body: {} });
    setDone(true);
  };
  if (isDone) {
    return (
      <Door
        title="Unsubscribed"
        lead="You will not get these mails any more. You can turn them on again in the site’s settings."
      />
    );
  }
  return (
    <Door
      title="Unsubscribe?"
      lead="You will not get summaries and alerts about this site any more."
    >
      <Form action="Unsubscribe" onSubmit={end} />
    </Door>
  );
}
