import { lazy, Suspense, useMemo, useState } from 'react';
import type { AnnotationsAnswer } from '#contract/sites/saved.ts';
import type { ChangeView, View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { nowIn } from '../../format/dates.ts';
import { Chart } from '../chart/chart.tsx';
import type { Note } from '../chart/geometry/annotations.ts';

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

/** The site's notes, in its local time. */
function useAnnotations(): readonly Note[] {
  const { timezone } = useSite();
  const { data } = useOfSite<AnnotationsAnswer>('/annotations');
  return useMemo(
    () =>
      (data?.annotations ?? []).map(({ id, at, text }) => {
        const isDay = !at.includes('T');
        return { id, text, at: isDay ? at : nowIn(timezone, new Date(at)) };
      }),
    [data, timezone],
  );
}
