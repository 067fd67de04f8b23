import { useView, type View } from '../address/address.ts';
import { isOld } from '../api/query.ts';
import { formatWhole } from '../format/numbers.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Bones, EmptyNote, ErrorNote } from '../ui/note.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import styles from '../widgets/people/people.module.css';
import { PeopleList } from '../widgets/people/people-list.tsx';
import { usePeople, usePeopleChoice } from '../widgets/people/use-people.ts';

/** Everyone who did or paid something in the period, with search. */
export function PeoplePage() {
  const [view] = useView();
  const choice = usePeopleChoice();
  const people = usePeople(view, choice.search, choice.order);
  const total = people.data?.pages[0]?.meta.total_rows;
  return (
    <>
      <Bar />
      <Card>
        <div className={styles.top}>
          <h1>
            People
            {total !== undefined && (
              <span className={styles.total}>
                {formatWhole(total)} with any activity or payment
              </span>
            )}
          </h1>
          <SearchField
            label="Search people"
            placeholder="Search by name, e-mail or id"
            className={styles.search}
            text={choice.search}
            onSearch={choice.onSearch}
          />
        </div>
        <Found {...{ view, choice, people }} />
      </Card>
    </>
  );
}

type FoundProps = {
  readonly view: View;
  readonly choice: ReturnType<typeof usePeopleChoice>;
  readonly people: ReturnType<typeof usePeople>;
};

function Found({ view, choice, people }: FoundProps) {
  const { search, order, onOrder } = choice;
  if (people.error && !people.isFetching) {
    return <ErrorNote error={people.error} onRetry={() => void people.refetch()} />;
  }
  if (people.data === undefined) return <BonesOfList />;
  const rows = people.data.pages.flatMap(({ results }) => results);
  if (rows.length === 0) return <Nobody view={view} search={search} />;
  return (
    <div data-old={isOld(people)}>
      <PeopleList {...{ view, order, onOrder }} people={rows} />
      {people.hasNextPage && (
        <div className={styles.more}>
          <Button
            size="small"
            disabled={people.isFetchingNextPage}
            onClick={() => void people.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

function Nobody({ view, search }: { readonly view: View; readonly search: string }) {
  if (search !== '') {
    return (
      <EmptyNote>
        Nobody in this period matches “{search}”. Try a longer period, or part of an id, e-mail
        address or name.
      </EmptyNote>
    );
  }
  if (view.filters.length > 0)
    return <EmptyNote>Nobody in this period matches the filters.</EmptyNote>;
  return <EmptyNote>Nobody yet. People appear here once a visit is recorded.</EmptyNote>;
}

function BonesOfList() {
  return (
    <div className={styles.bones}>
      {Array.from({ length: 10 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are alike and never move.
        <Bones key={index} height={40} />
      ))}
    </div>
  );
}
