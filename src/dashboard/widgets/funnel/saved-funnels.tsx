import { useState } from 'react';
import { Link } from 'wouter';
import type { SavedFunnel } from '#contract/sites/saved.ts';
import { keptSearch, useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { Soft, Stack } from '../../ui/layout.tsx';
import { Popover } from '../../ui/menu/popover.tsx';
import { Unloaded } from '../../ui/note.tsx';
import styles from '../saved/saved.module.css';
import { SavedRow, SaveForm } from '../saved/saved-row.tsx';
import { type FunnelView, toWithin } from './steps.ts';
import { useSavedFunnels } from './use-saved-funnels.ts';

/** A button that lists saved funnels; admins can save the current one there. */
export function SavedFunnels({ funnel }: { readonly funnel: FunnelView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover label="Saved" isOpen={isOpen} onOpenChange={setOpen}>
      <SavedList funnel={funnel} onChoose={() => setOpen(false)} />
    </Popover>
  );
}

function SavedList(props: { readonly funnel: FunnelView; readonly onChoose: () => void }) {
  const { funnel, onChoose } = props;
  const { role } = useSite();
  const { data, error, refetch } = useSavedFunnels();
  const mayChange = role !== 'viewer';
  const isWhole = funnel.steps.length >= 2;
  if (data === undefined) return <Unloaded {...{ error, refetch }} width={320} height={160} />;
  return (
    <Stack gap={8} className={styles.list}>
      {data.funnels.length === 0 && (
        <Soft>
          No funnel is saved yet. {mayChange && !isWhole && 'Choose two steps, then save it here.'}
        </Soft>
      )}
      {data.funnels.map((saved) => (
        <FunnelRow key={saved.id} saved={saved} mayChange={mayChange} onChoose={onChoose} />
      ))}
      {mayChange && isWhole && (
        <SaveForm
          {...{ action: 'Save this funnel', path: '/funnels' }}
          toBody={() => ({ steps: funnel.steps, within: toWithin(funnel.within) })}
        />
      )}
    </Stack>
  );
}

type FunnelRowProps = {
  readonly saved: SavedFunnel;
  readonly mayChange: boolean;
  readonly onChoose: () => void;
};

function FunnelRow({ saved: { id, name }, mayChange, onChoose }: FunnelRowProps) {
  const { domain } = useSite();
  const [view] = useView();
  return (
    <SavedRow {...{ name, path: `/funnels/${id}`, mayChange }}>
      <Link
        to={`/${domain}/funnels/${id}${keptSearch(view)}`}
        className={styles.name}
        onClick={onChoose}
      >
        {name}
      </Link>
    </SavedRow>
  );
}
