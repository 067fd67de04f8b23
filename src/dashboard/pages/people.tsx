import { Link } from 'wouter';
import type { PersonsAnswer } from '#contract/people.ts';
import type { PeopleOrder } from '#contract/people-orders.ts';
import { keptSearch, useTexts, useView, type View } from '../address/address.ts';
import { useSite } from '../api/account.ts';
import { isOld, toAttribution, usePages, useReportBody } from '../api/query.ts';
import { formatDate, formatSeen, formatSpan } from '../format/dates.ts';
import { formatCount, formatWhole, toNumber } from '../format/numbers.ts';
import { nameCountry } from '../format/values.ts';
import { Card, CardHead, LongWord, Stack, Words, wordsClass } from '../ui/layout.tsx';
import { Loaded, ShowMore } from '../ui/loaded.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { type Column, numberColumn, Table, type TableOrder, textColumn } from '../ui/table.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { FigureText } from '../widgets/figures/figures.tsx';
import { nameOf, parsePeopleOrder, readValue, writeOrder } from '../widgets/people/known-by.ts';
import styles from '../widgets/people/people.module.css';

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
              <Words look={['soft', 'small']} style={{ marginLeft: 8, fontWeight: 400 }}>
                {formatWhole(total)} <Words look="wide">with any activity or payment</Words>
              </Words>
            )}
          </h1>
          <SearchField
            label="Search people"
            placeholder="Search by name, e-mail or id"
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
  const rows = people.data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <>
      <Loaded
        {...{ of: people, height: 544, isInset: true, isOld: isOld(people) }}
        isEmpty={() => rows.length === 0}
        empty={whyNobody(view, search)}
      >
        {() => <PeopleList {...{ order, onOrder, people: rows }} />}
      </Loaded>
      <ShowMore of={people} />
    </>
  );
}

function whyNobody({ filters }: View, search: string): string {
  if (search !== '') {
    return `Nobody in this period matches “${search}”. Try a longer period, or part of an id, e-mail address or name.`;
  }
  if (filters.length > 0) return 'Nobody in this period matches the filters.';
  return 'Nobody yet. People appear here once a visit is recorded.';
}

/** The search and sort order of the people list; both are in the URL. */
function usePeopleChoice() {
  const [params, set] = useTexts();
  return {
    search: params.get('q') ?? '',
    order: parsePeopleOrder(params.get('sort')),
    onSearch: (text: string) => set({ q: text }, { replace: true }),
    onOrder: (order: TableOrder) => set({ sort: writeOrder(order) }, { replace: true }),
  };
}

const PAGE_ROWS = 50;

/** People of the period, paginated. */
function usePeople(
  view: View,
  search: string,
  order: { readonly by: PeopleOrder; readonly direction: 'asc' | 'desc' },
) {
  const body = {
    ...{ ...useReportBody(view), attribution: toAttribution(view) },
    ...{ order_by: [[order.by, order.direction]], ...(search !== '' && { search }) },
  };
  return usePages<PersonsAnswer>(['persons', body], (cursor) => ({
    path: '/api/v1/query/persons',
    body: {
      ...body,
      pagination: { limit: PAGE_ROWS, ...(cursor !== '' && { cursor }) },
      include: { total_rows: cursor === '' },
    },
  }));
}

type Person = PersonsAnswer['results'][number];

type PeopleListProps = {
  readonly people: readonly Person[];
  readonly order: TableOrder;
  readonly onOrder: (order: TableOrder) => void;
};

/** People, one per row; names link to stories. */
function PeopleList({ people, order, onOrder }: PeopleListProps) {
  const { has_payments, timezone } = useSite();
  const columns = columnsOf(timezone);
  return (
    <Table
      {...{ label: 'People', rows: people, order, onOrder }}
      columns={has_payments ? columns : columns.slice(0, -1)}
      keyOf={(person) => person.person_id}
    />
  );
}

const columnsOf = (timezone: string): readonly Column<Person>[] => [
  textColumn({ label: 'Person', className: styles.who }, (person) => (
    <PersonLink person={person} />
  )),
  textColumn(
    {
      label: 'First source',
      isWidest: true,
      isCut: true,
      attributes: ({ first_visit }) => ({ title: readValue(first_visit, 'source') }),
    },
    ({ first_visit }) => readValue(first_visit, 'source') ?? '–',
  ),
  textColumn({ label: 'Country', isWidest: true, isCut: true }, ({ latest_visit }) => {
    const country = readValue(latest_visit, 'country');
    if (country === undefined) return '–';
    return (
      <span title={nameCountry(country)}>
        <Words look={['soft', 'tiny']}>{country}</Words> {nameCountry(country)}
      </span>
    );
  }),
  textColumn({ label: 'First seen', isWidest: true }, ({ first_seen_at: at }) =>
    at === null ? '–' : formatDate(at, timezone),
  ),
  textColumn(
    { name: 'last_seen_at', label: 'Last seen', isSortable: true },
    ({ last_seen_at: at }) =>
      at === null ? (
        '–'
      ) : (
        <time className={styles.when} dateTime={at} title={formatSpan(at, at, timezone)}>
          {formatSeen(at, timezone)}
        </time>
      ),
  ),
  numberColumn({ name: 'visits', label: 'Visits', isWide: true, isSortable: true }, ({ visits }) =>
    formatCount(visits),
  ),
  numberColumn({ name: 'revenue', label: 'Revenue', isSortable: true }, ({ revenue }) =>
    toNumber(revenue) === 0 ? (
      <Words look="soft">–</Words>
    ) : (
      <Words as="b" look={['good', 'bold']}>
        <FigureText value={revenue} />
      </Words>
    ),
  ),
];

function PersonLink({ person }: { readonly person: Person }) {
  const [view] = useView();
  const { domain } = useSite();
  const { first_visit, latest_visit, person_id } = person;
  const country = readValue(latest_visit, 'country');
  const source = readValue(first_visit, 'source');
  const place = [readValue(latest_visit, 'city'), country && nameCountry(country)];
  const device = [readValue(latest_visit, 'browser'), readValue(latest_visit, 'os')];
  return (
    <Stack className={styles.person} gap={0}>
      <Link
        to={`/${domain}/people/${person_id}${keptSearch(view)}`}
        className={wordsClass('named', 'bold')}
        title={nameOf(person)}
      >
        <LongWord text={nameOf(person)} />
      </Link>
      <Words look={['soft', 'tiny', 'cut']} className={styles.below}>
        {device.filter(Boolean).join(' · ')}
      </Words>
      <Words look={['soft', 'tiny', 'cut']} className={styles.narrow}>
        {[source, ...place].filter(Boolean).join(' · ')}
      </Words>
    </Stack>
  );
}
