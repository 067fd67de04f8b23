import { lazy, Suspense, useState } from 'react';
import type { ChangeView, View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { Chart } from '../chart/chart.tsx';
import { useAnnotations } from './use-annotations.ts';

const load = () => import('./notes-dialog.tsx');
const NotesDialog = lazy(async () => ({ default: (await load()).NotesDialog }));

type AnnotatedChartProps = { readonly view: View; readonly onChange: ChangeView };

/** The chart with its notes. Admins can add, change and delete them. */
export function AnnotatedChart({ view, onChange }: AnnotatedChartProps) {
  const annotations = useAnnotations();
  const { role } = useSite();
  const [opened, setOpened] = useState<readonly string[]>();
  const shown = annotations.filter(({ id }) => opened?.includes(id));
  const isNew = opened?.length === 0;
  return (
    <>
      <Chart
        {...{ view, onChange, annotations }}
        onOpenNotes={(there) => setOpened(there.map(({ id }) => id))}
        onAddNote={role === 'viewer' ? undefined : () => setOpened([])}
      />
      {(isNew || shown.length > 0) && (
        <Suspense>
          <NotesDialog
            {...{ view, shown, isNew, mayChange: role !== 'viewer' }}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
