import { Link } from 'wouter';
import type { PersonsAnswer } from '#contract/people.ts';
import { keptSearch, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { nameCountry } from '../../format/countries.ts';
import { formatDate, formatSeen, formatSpan } from '../../format/instants.ts';
import { formatCount, toNumber } from '../../format/numbers.ts';
import { Words } from '../../ui/layout.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { type Column, Table, type TableOrder } from '../../ui/table.tsx';
import { FigureText } from '../figures/figure.tsx';
import { nameOf, readValue } from './known-by.ts';
import styles from './people.module.css';

type Person = PersonsAnswer['results'][number];

type PeopleListProps = {
  readonly view: View;
  readonly people: readonly Person[];
  readonly order: TableOrder;
  readonly onOrder: (order: TableOrder) => void;
};

/** People, one per row; names link to stories. */
export function PeopleList({ view, people, order, onOrder }: PeopleListProps) {
  const { has_payments, timezone } = useSite();
  const columns = columnsOf(view, timezone);
  return (
    <Table
      {...{ label: 'People', rows: people, order, onOrder }}
      columns={has_payments ? columns : columns.slice(0, -1)}
      keyOf={(person) => person.person_id}
    />
  );
}

const columnsOf = (view: View, timezone: string): readonly Column<Person>[] => [
  {
    ...{ name: 'person', label: 'Person' },
    cell: (person) => <PersonLink {...{ view, person }} />,
  },
  {
    ...{ name: 'source', label: 'First source', isWidest: true, isCut: true },
    cell: ({ first_visit }) => readValue(first_visit, 'source') ?? '–',
    attributes: ({ first_visit }) => ({ title: readValue(first_visit, 'source') }),
  },
  {
    ...{ name: 'country', label: 'Country', isWidest: true, isCut: true },
    cell: ({ latest_visit }) => {
      const country = readValue(latest_visit, 'country');
      if (country === undefined) return '–';
      return (
        <span title={nameCountry(country)}>
          <span className={styles.code}>{country}</span> {nameCountry(country)}
        </span>
      );
    },
  },
  {
    ...{ name: 'first_seen_at', label: 'First seen', isWidest: true },
    cell: ({ first_seen_at: at }) => (at === null ? '–' : formatDate(at, timezone)),
  },
  {
    ...{ name: 'last_seen_at', label: 'Last seen', isSortable: true },
    cell: ({ last_seen_at: at }) =>
      at === null ? (
        '–'
      ) : (
        <time className={styles.when} dateTime={at} title={formatSpan(at, at, timezone)}>
          {formatSeen(at, timezone)}
        </time>
      ),
  },
  {
    ...{ name: 'visits', label: 'Visits', isNumber: true, isWide: true, isSortable: true },
    cell: ({ visits }) => formatCount(visits),
  },
  {
    ...{ name: 'revenue', label: 'Revenue', isNumber: true, isSortable: true },
    cell: ({ revenue }) =>
      toNumber(revenue) === 0 ? (
        <Words look="soft">–</Words>
      ) : (
        <Words as="b" look={['good', 'bold']}>
          <FigureText value={revenue} />
        </Words>
      ),
  },
];

function PersonLink({ view, person }: { readonly view: View; readonly person: Person }) {
  const { domain } = useSite();
  const { first_visit, latest_visit, person_id } = person;
  const country = readValue(latest_visit, 'country');
  const source = readValue(first_visit, 'source');
  const place = [readValue(latest_visit, 'city'), country && nameCountry(country)];
  const device = [readValue(latest_visit, 'browser'), readValue(latest_visit, 'os')];
  return (
    <div className={styles.person}>
      <Link
        to={`/${domain}/people/${person_id}${keptSearch(view)}`}
        className={styles.name}
        title={nameOf(person)}
      >
        <LongWord text={nameOf(person)} />
      </Link>
      <span className={styles.below}>{device.filter(Boolean).join(' · ')}</span>
      <span className={styles.narrow}>{[source, ...place].filter(Boolean).join(' · ')}</span>
    </div>
  );
}
