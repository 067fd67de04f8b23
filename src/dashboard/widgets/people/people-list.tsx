import { Link } from 'wouter';
import type { PersonsAnswer } from '#contract/people.ts';
import { keptSearch, useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatDate, formatSeen, formatSpan } from '../../format/dates.ts';
import { formatCount, toNumber } from '../../format/numbers.ts';
import { nameCountry } from '../../format/values.ts';
import { LongWord, Stack, Words, wordsClass } from '../../ui/layout.tsx';
import { type Column, numberColumn, Table, type TableOrder, textColumn } from '../../ui/table.tsx';
import { FigureText } from '../figures/figures.tsx';
import { nameOf, readValue } from './known-by.ts';
import styles from './people.module.css';

type Person = PersonsAnswer['results'][number];

type PeopleListProps = {
  readonly people: readonly Person[];
  readonly order: TableOrder;
  readonly onOrder: (order: TableOrder) => void;
};

/** People, one per row; names link to stories. */
export function PeopleList({ people, order, onOrder }: PeopleListProps) {
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
  textColumn('Person', (person) => <PersonLink person={person} />),
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
