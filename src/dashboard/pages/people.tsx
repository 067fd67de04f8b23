import type { PeopleOrder, PersonsAnswer } from '#contract/people.ts';
import { useParams, useView, type View } from '../address/address.ts';
import { withTexts } from '../address/params.ts';
import { isOld, toAttribution, usePages, useReportBody } from '../api/query.ts';
import { formatWhole } from '../format/numbers.ts';
import { Card, CardHead, Words } from '../ui/layout.tsx';
import { Loaded, ShowMore } from '../ui/loaded.tsx';
import { SearchField } from '../ui/search-field.tsx';
import type { TableOrder } from '../ui/table.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { parsePeopleOrder, writeOrder } from '../widgets/people/known-by.ts';
import { PeopleList } from '../widgets/people/people-list.tsx';

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
                {formatWhole(total)} with any activity or payment
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
  const [params, setParams] = useParams();
  const set = (name: string, value: string) =>
    setParams((now) => withTexts(now, { [name]: value }), { replace: true });
  return {
    search: params.get('q') ?? '',
    order: parsePeopleOrder(params.get('sort')),
    onSearch: (text: string) => set('q', text),
    onOrder: (order: TableOrder) => set('sort', writeOrder(order)),
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
