import type { ChangeView, View } from '../../../address/address.ts';
import { isOld } from '../../../api/query.ts';
import { PROPERTY_NAMES } from '../../../format/dimensions.ts';
import { formatWhole } from '../../../format/numbers.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyNote, Unloaded } from '../../../ui/note.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { CsvButton } from '../foot.tsx';
import panel from '../panel.module.css';
import { dimensionOf, type Tab } from '../tabs.ts';
import { useProperty } from '../use-choice.ts';
import styles from './details.module.css';
import { DetailsTable } from './details-table.tsx';
import {
  detailsOf,
  type Search,
  useCompared,
  useRows,
  useSearch,
  useTotal,
} from './use-details.ts';

type DetailsProps = { readonly tab: Tab; readonly view: View; readonly onChange: ChangeView };

/** A panel in full: all rows with all metrics, to search, sort, page through and save. */
export function DetailsDialog({ tab, view, onChange }: DetailsProps) {
  const [property] = useProperty();
  const dimension = tab.kind === 'bots' ? 'visit:bot' : dimensionOf(tab, property);
  const search = useSearch(view, dimension);
  const isOfOne = tab.kind === 'property' && property !== '';
  const title = isOfOne ? `${tab.label}: ${property}` : tab.label;
  return (
    <Dialog title={title} isOpen isWide onClose={search.close}>
      <Details key={dimension} {...{ tab, view, onChange, search, dimension }} />
    </Dialog>
  );
}

type Props = DetailsProps & { readonly search: Search; readonly dimension: string };

function Details({ tab, view, onChange, search, dimension }: Props) {
  const asked = detailsOf(tab, dimension, search);
  const rows = useRows(view, asked);
  const results = rows.data?.pages.flatMap((page) => page.results);
  const total = rows.data?.pages[0]?.meta.total_rows;
  const whole = useTotal(view, asked);
  const before = useCompared(view, asked, results);
  return (
    <div className={styles.details}>
      <div className={styles.tools}>
        {dimension !== PROPERTY_NAMES && (
          <SearchField
            label="Search these rows"
            placeholder="Search"
            className={styles.search}
            text={search.text}
            onSearch={(text) => search.change({ search: text })}
          />
        )}
        <span className={panel.code} role="status">
          {results && `${formatWhole(results.length)} of ${formatWhole(total ?? results.length)}`}
        </span>
        <CsvButton {...{ view, tab, asked }} className={buttonClass(undefined, 'small')} />
      </div>
      {results === undefined && <Unloaded {...rows} height={420} />}
      {results?.length === 0 && (
        <EmptyNote>
          {search.text === '' ? tab.empty : `Nothing here contains “${search.text}”.`}
        </EmptyNote>
      )}
      {results !== undefined && results.length > 0 && (
        <div className={styles.rows} data-old={isOld(rows)}>
          <DetailsTable
            {...{ tab, view, onChange, search, dimension, results, before, total: whole }}
          />
        </div>
      )}
      {rows.hasNextPage && (
        <Button disabled={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          {rows.isFetchNextPageError ? 'Loading failed. Try again' : 'Show more'}
        </Button>
      )}
    </div>
  );
}
