import { useState } from 'react';
import { useParams } from 'wouter';
import { request } from '../api.ts';
import { Form } from '../ui/form.tsx';
import { Door } from './door.tsx';

/** Where the link in a mail leads: nothing ends before somebody says so, as programs open links, too. */
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
        title="Done"
        lead="You get no more of these mails. The settings of the site bring them back."
      >
        {null}
      </Door>
    );
  }
  return (
    <Door title="No more of these mails?" lead="Summaries and alerts of this site end for you.">
      <Form action="End the mails" onSubmit={end}>
        {() => null}
      </Form>
    </Door>
  );
}
