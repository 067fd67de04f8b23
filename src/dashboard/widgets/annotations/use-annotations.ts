import { useMemo } from 'react';
import type { AnnotationsAnswer } from '#contract/sites/saved.ts';
import { useSite } from '../../api/account.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { nowIn } from '../../format/dates.ts';
import type { Annotation } from '../chart/geometry/annotations.ts';

/** The site's notes, in its local time. */
export function useAnnotations(): readonly Annotation[] {
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
