import { Link } from 'wouter';
import type { PersonsAnswer } from '#contract/people.ts';
import { keptSearch, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { nameCountry } from '../../format/countries.ts';
import { formatDate, formatSeen, formatSpan } from '../../format/instants.ts';
import { formatCount, toNumber } from '../../format/numbers.ts';
import { LongWord } from '../../ui/long-word.tsx';
import { type Column, Table, type TableOrder } from '../../ui/table/table.tsx';
import { FigureText } from '../figures/figure.tsx';
import { nameOf, readValue } from './known-by.ts';
import styles from './people.module.css';

type Person = PersonsAnswer['results'][number];

const COLUMNS = [
  { name: 'person', label: 'Person' },
  { name: 'source', label: 'First source', isWidest: true, isCut: true },
  { name: 'country', label: 'Country', isWidest: true, isCut: true },
  { name: 'first_seen_at', label: 'First seen', isWidest: true },
  { name: 'last_seen_at', label: 'Last seen', isSortable: true },
  { name: 'visits', label: 'Visits', isNumber: true, isWide: true, isSortable: true },
  { name: 'revenue', label: 'Revenue', isNumber: true, isSortable: true },
] as const satisfies readonly Column<string>[];

type PeopleListProps = {
  readonly view: View;
  readonly people: readonly Person[];
  readonly order: TableOrder;
  readonly onOrder: (order: TableOrder) => void;
};

/** People, one per row; names link to stories. */
export function PeopleList({ view, people, order, onOrder }: PeopleListProps) {
  const columns = useSite().has_payments ? COLUMNS : COLUMNS.slice(0, -1);
  return (
    <Table
      {...{ label: 'People', columns, rows: people, order, onOrder }}
      keyOf={(person) => person.person_id}
      cell={(person, column) => <Cell {...{ view, person, column }} />}
    />
  );
}

type CellProps = {
  readonly view: View;
  readonly person: Person;
  readonly column: (typeof COLUMNS)[number]['name'];
};

function Cell({ view, person, column }: CellProps) {
  const { timezone } = useSite();
  const { first_visit, latest_visit, first_seen_at, last_seen_at, visits, revenue } = person;
  const source = readValue(first_visit, 'source');
  const country = readValue(latest_visit, 'country');
  switch (column) {
    case 'person':
      return <PersonLink view={view} person={person} />;
    case 'source':
      return <span title={source}>{source ?? '–'}</span>;
    case 'country':
      if (country === undefined) return '–';
      return (
        <span title={nameCountry(country)}>
          <span className={styles.code}>{country}</span> {nameCountry(country)}
        </span>
      );
    case 'first_seen_at':
      return first_seen_at === null ? '–' : formatDate(first_seen_at, timezone);
    case 'last_seen_at':
      if (last_seen_at === null) return '–';
      return (
        <time
          className={styles.when}
          dateTime={last_seen_at}
          title={formatSpan(last_seen_at, last_seen_at, timezone)}
        >
          {formatSeen(last_seen_at, timezone)}
        </time>
      );
    case 'visits':
      return formatCount(visits);
    case 'revenue':
      if (toNumber(revenue) === 0) return <span className={styles.soft}>–</span>;
      return (
        <b className={styles.money}>
          <FigureText value={revenue} />
        </b>
      );
  }
}

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
