import { useView, type View } from '../address/address.ts';
import { isOld } from '../api/query.ts';
import { formatWhole } from '../format/numbers.ts';
import { Card } from '../ui/card.tsx';
import { CardHead, Inset, Words } from '../ui/layout.tsx';
import { ShowMore } from '../ui/loaded.tsx';
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
        <CardHead>
          <h1>
            People
            {total !== undefined && (
              <Words look={['soft', 'small']} className={styles.total}>
                {formatWhole(total)} with any activity or payment
              </Words>
            )}
          </h1>
          <SearchField
            label="Search people"
            placeholder="Search by name, e-mail or id"
            className={styles.search}
            text={choice.search}
            onSearch={choice.onSearch}
          />
        </CardHead>
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
  if (people.data === undefined) {
    return (
      <Inset>
        <Bones height={544} />
      </Inset>
    );
  }
  const rows = people.data.pages.flatMap(({ results }) => results);
  if (rows.length === 0) return <Nobody view={view} search={search} />;
  return (
    <div data-old={isOld(people)}>
      <PeopleList {...{ view, order, onOrder }} people={rows} />
      <ShowMore of={people} />
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
