import { useState } from 'react';
import { useLocation } from 'wouter';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from './settings.module.css';

/** Removes a site after its name is typed. */
export function RemoveSite() {
  const { domain, role } = useSite();
  const [isAsked, setAsked] = useState(false);
  const [, navigate] = useLocation();
  const { mutateAsync } = useChangeOfSite();
  const remove = async ({ typed }: Readonly<Record<string, string>>) => {
    if (typed !== domain) throw new Error(`Type ${domain} to remove it.`);
    await mutateAsync({ method: 'DELETE' });
    navigate('/');
  };
  if (role !== 'owner') return null;
  return (
    <Card isPadded className={styles.card}>
      <h2>Remove this site</h2>
      <p className={styles.soft}>
        Its script and keys stop working immediately. Recorded data stays on disk and can still be
        erased by command.
      </p>
      <div>
        <Button look="danger" onClick={() => setAsked(true)}>
          Remove {domain} …
        </Button>
      </div>
      <Dialog title={`Remove ${domain}?`} isOpen={isAsked} onClose={() => setAsked(false)}>
        <Form action="Remove site" look="danger" onSubmit={remove}>
          {() => <Field label={`Type ${domain}`} name="typed" autoComplete="off" required />}
        </Form>
      </Dialog>
    </Card>
  );
}
