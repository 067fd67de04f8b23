import { useMemo, useState } from 'react';
import type { AnnotationsAnswer } from '#contract/sites/saved.ts';
import { useOfSite, useSite } from '../../api/account.ts';
import { nowIn } from '../../format/dates.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Chart } from '../chart/chart.tsx';
import type { Note } from '../chart/geometry/layout.ts';

const NotesDialog = lazyPart(() => import('./notes-dialog.tsx'), 'NotesDialog', null);

/** The chart with its notes. Admins can add, change and delete them. */
export function AnnotatedChart() {
  const annotations = useAnnotations();
  const { role } = useSite();
  const [opened, setOpened] = useState<readonly string[]>();
  const shown = annotations.filter(({ id }) => opened?.includes(id));
  const isNew = opened?.length === 0;
  return (
    <>
      <Chart
        annotations={annotations}
        onOpenNotes={(there) => setOpened(there.map(({ id }) => id))}
        onAddNote={role === 'viewer' ? undefined : () => setOpened([])}
      />
      {(isNew || shown.length > 0) && (
        <NotesDialog
          {...{ shown, isNew, mayChange: role !== 'viewer' }}
          onClose={() => setOpened(undefined)}
        />
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
