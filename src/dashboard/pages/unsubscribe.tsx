import { useState } from 'react';
import { useParams } from 'wouter';
import { request } from '../api/api.ts';
import { Form } from '../ui/form.tsx';
import { Door } from './door.tsx';

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
        lead="You will get no more of these mails. You can turn them on again in the site’s settings."
      >
        {null}
      </Door>
    );
  }
  return (
    <Door title="Unsubscribe?" lead="You will get no more summaries and alerts about this site.">
      <Form action="Unsubscribe" onSubmit={end} />
    </Door>
  );
}
