import { useState } from 'react';
import { Link } from 'wouter';
import type { SavedFunnel } from '#contract/sites/saved.ts';
import { useSite } from '../../account.ts';
import { keptSearch, useView } from '../../address.ts';
import { useChangeOfSite } from '../../site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Popover } from '../../ui/menu/popover.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import styles from './saved-funnels.module.css';
import { type Funnel, toWithin } from './steps.ts';
import { useSavedFunnels } from './use-saved-funnels.ts';

/** A button that opens the funnels saved under a name; admins save the one on the page there. */
export function SavedFunnels({ funnel }: { readonly funnel: Funnel }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover label="Saved" isOpen={isOpen} onOpenChange={setOpen}>
      <SavedList funnel={funnel} onChoose={() => setOpen(false)} />
    </Popover>
  );
}

function SavedList(props: { readonly funnel: Funnel; readonly onChoose: () => void }) {
  const { funnel, onChoose } = props;
  const { role } = useSite();
  const { data, error, refetch } = useSavedFunnels();
  const mayChange = role !== 'viewer';
  const isWhole = funnel.steps.length >= 2;
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Bones width={288} height={160} />;
  return (
    <div className={styles.list}>
      {data.funnels.length === 0 && (
        <p className={styles.soft}>
          No funnel is saved yet. {mayChange && !isWhole && 'Choose two steps, then save it here.'}
        </p>
      )}
      {data.funnels.map((saved) => (
        <SavedRow key={saved.id} saved={saved} mayChange={mayChange} onChoose={onChoose} />
      ))}
      {mayChange && isWhole && <SaveFunnel funnel={funnel} />}
    </div>
  );
}

type SavedRowProps = {
  readonly saved: SavedFunnel;
  readonly mayChange: boolean;
  readonly onChoose: () => void;
};

function SavedRow({ saved: { id, name }, mayChange, onChoose }: SavedRowProps) {
  const { domain } = useSite();
  const [view] = useView();
  const deleted = useChangeOfSite();
  const [isAsked, setAsked] = useState(false);
  const remove = () => deleted.mutate({ method: 'DELETE', path: `/funnels/${id}` });
  return (
    <div className={styles.row}>
      <Link
        to={`/${domain}/funnels/${id}${keptSearch(view)}`}
        className={styles.name}
        onClick={onChoose}
      >
        {name}
      </Link>
      {mayChange && (
        <Button
          size="small"
          aria-label={isAsked ? `Really delete ${name}` : `Delete ${name}`}
          onClick={isAsked ? remove : () => setAsked(true)}
        >
          {isAsked ? 'Really delete' : 'Delete'}
        </Button>
      )}
      {deleted.error && <p role="alert">{deleted.error.message}</p>}
    </div>
  );
}

function SaveFunnel({ funnel: { steps, within } }: { readonly funnel: Funnel }) {
  const { mutateAsync } = useChangeOfSite<SavedFunnel>();
  const [saved, setSaved] = useState(0);
  const save = async ({ name = '' }: Readonly<Record<string, string>>) => {
    const body = { name, steps, within: toWithin(within) };
    await mutateAsync({ method: 'POST', path: '/funnels', body });
    setSaved(saved + 1);
  };
  return (
    <Form key={saved} action="Save this funnel" onSubmit={save}>
      {(faultOf) => (
        <Field
          {...{ label: 'Name', name: 'name', maxLength: 100, required: true }}
          autoComplete="off"
          fault={faultOf('name')}
        />
      )}
    </Form>
  );
}
