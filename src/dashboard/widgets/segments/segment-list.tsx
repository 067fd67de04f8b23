import type { Segment, SegmentsAnswer } from '#contract/sites/saved.ts';
import { useSite } from '../../api/account.ts';
import { toFilters } from '../../api/query.ts';
import { useOfSite } from '../../api/site-settings.ts';
import type { ViewFilter } from '../../format/dimensions.ts';
import { CheckField } from '../../ui/field.tsx';
import { Soft, Stack, Words } from '../../ui/layout.tsx';
import { Unloaded } from '../../ui/note.tsx';
import styles from '../saved/saved.module.css';
import { SavedRow, SaveForm } from '../saved/saved-row.tsx';
import { toChips } from './to-chips.ts';

type SegmentListProps = {
  readonly filters: readonly ViewFilter[];
  readonly onChoose: (filters: readonly ViewFilter[]) => void;
};

/** The saved segments, and a form to save the page's filters as a new one. */
export function SegmentList({ filters, onChoose }: SegmentListProps) {
  const { role } = useSite();
  const { data, error, refetch } = useOfSite<SegmentsAnswer>('/segments');
  if (data === undefined) return <Unloaded {...{ error, refetch }} width={320} height={160} />;
  return (
    <Stack gap={8} className={styles.list}>
      {data.segments.length === 0 && (
        <Soft>
          No segment is saved yet.{' '}
          {filters.length === 0 && 'ViewFilter the page, then save it here.'}
        </Soft>
      )}
      {data.segments.map((segment) => (
        <SegmentRow key={segment.id} segment={segment} onChoose={onChoose} />
      ))}
      {filters.length > 0 && (
        <SaveForm
          {...{ action: 'Save these filters', path: '/segments' }}
          toBody={({ shared }) => ({ filters: toFilters(filters), shared: shared !== undefined })}
        >
          {role !== 'viewer' && <CheckField name="shared">For everybody on this site</CheckField>}
        </SaveForm>
      )}
    </Stack>
  );
}

type SegmentRowProps = Pick<SegmentListProps, 'onChoose'> & { readonly segment: Segment };

function SegmentRow({ segment, onChoose }: SegmentRowProps) {
  const { role } = useSite();
  const { id, name, shared } = segment;
  const chips = toChips(segment.filters);
  return (
    <SavedRow {...{ name, path: `/segments/${id}`, mayChange: role !== 'viewer' || !shared }}>
      <button
        type="button"
        className={styles.name}
        disabled={chips === undefined}
        title={
          chips ? undefined : 'Its filters come from the API, and are more than chips can say.'
        }
        onClick={() => chips && onChoose(chips)}
      >
        {name} {shared && <Words look="soft">shared</Words>}
      </button>
    </SavedRow>
  );
}
