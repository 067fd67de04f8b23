import { geoEqualEarth, geoPath } from 'd3-geo';
import { type MouseEvent, useState } from 'react';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import world from 'world-atlas/countries-110m.json';
import type { MetricValue } from '#contract/query.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { type ChangeView, keptSearch, useView, type View } from '../../../address/address.ts';
import { filterBy } from '../../../address/filters.ts';
import { isOld, useAnswer } from '../../../api/query.ts';
import { formatExact, type ShownMetric } from '../../../format/metrics.ts';
import { toNumber } from '../../../format/numbers.ts';
import { nameCountry } from '../../../format/values.ts';
import { Words } from '../../../ui/layout.tsx';
import { Table } from '../../../ui/table.tsx';
import { measureOf, type PanelProps } from '../choice.ts';
import panel from '../panel.module.css';
import { Foot, PanelFrame, UnloadedPanel } from '../panel-parts.tsx';
import { toAsked } from '../rows.ts';
import { toCode, toStrength } from './countries.ts';

/** There are about 250 country codes. */
const COUNTRIES_MAX = 300;
const DIMENSION = 'visit:country';

/** A map of where visitors are: the stronger the colour, the more visitors. */
export function MapPanel({ choice }: PanelProps) {
  const [view, change] = useView();
  const measure = measureOf(choice.measure);
  const asked = toAsked(choice, DIMENSION);
  const answer = useAnswer(view, { ...asked, pagination: { limit: COUNTRIES_MAX } });
  if (answer.data === undefined) return <UnloadedPanel {...answer} />;
  const places: readonly MapPlace[] = answer.data.results
    .map(({ dimensions, metrics }) => ({ code: dimensions[0] ?? '', metrics }))
    .filter(({ code }) => code !== UNATTRIBUTED);
  const known = places.filter(({ code }) => code !== '(none)');
  const drawn = new Set(SHAPES.map(({ code }) => code));
  const tooSmall = known.filter(({ code }) => !drawn.has(code)).length;
  const small = tooSmall === 0 ? '' : `, ${tooSmall} too small to draw`;
  const note = `${known.length} ${known.length === 1 ? 'country' : 'countries'}${small}`;
  return (
    <PanelFrame
      {...{ isOld: isOld(answer), isEmpty: known.length === 0, empty: choice.tab.empty }}
      foot={<Foot {...{ note, asked, tab: choice.tab }} />}
    >
      <WorldMap places={known} measure={measure} view={view} onChange={change} />
    </PanelFrame>
  );
}

/** A country and its figures, in the measure's order. */
type MapPlace = { readonly code: string; readonly metrics: readonly MetricValue[] };

/** The figures of a {@link MapPlace}, in order. */
type MapMeasure = {
  readonly metrics: readonly ShownMetric[];
  readonly heads: readonly string[];
  readonly main: ShownMetric;
};

type WorldMapProps = {
  readonly places: readonly MapPlace[];
  readonly measure: MapMeasure;
  readonly view: View;
  readonly onChange: ChangeView;
  /** The page to link to, if it is another one. */
  readonly path?: string;
  readonly hint?: string;
};

/** A world map; each country with figures is a filter link that shows them on hover or focus. */
export function WorldMap(props: WorldMapProps) {
  const { places, measure, view, onChange, path = '' } = props;
  const { hint = 'Point at a country, or click it to filter.' } = props;
  const [told, tell] = useState<string>();
  const byCode = new Map(places.map((place) => [place.code, place]));
  const at = colouredAt(places, measure);
  const largest = Math.max(...places.map(({ metrics }) => toNumber(metrics[at] ?? null)));
  const shown = told === undefined ? undefined : byCode.get(told);
  const first = SHAPES.find(({ code }) => code === places[0]?.code) ?? SHAPES[0];
  return (
    <div className={panel.map} data-look={measure.metrics[at] === 'revenue' ? 'money' : 'people'}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a drawing. */}
      <svg viewBox={`0 0 ${MAP_SIZE.width} ${MAP_SIZE.height}`} role="group" aria-label="World map">
        {SHAPES.map((shape) => {
          const place = shape.code === undefined ? undefined : byCode.get(shape.code);
          if (place === undefined) return <path key={shape.key} d={shape.path} />;
          return (
            <CountryLink
              key={shape.key}
              {...{ shape, place, measure, view, onChange, path, tell }}
              isFirst={shape === first}
              strength={toStrength(toNumber(place.metrics[at] ?? null), largest)}
            />
          );
        })}
      </svg>
      <p style={{ minHeight: 20, marginTop: 4, textAlign: 'center' }} aria-hidden="true">
        {shown === undefined ? (
          <Words look="soft">{hint}</Words>
        ) : (
          <>
            <b>{nameCountry(shown.code)}</b> {toFigures(shown, measure)}
          </>
        )}
      </p>
      <Table
        {...{ label: 'Countries of the map', rows: places, look: 'hidden' }}
        keyOf={({ code }) => code}
        columns={[
          { name: 'country', label: 'Country', cell: ({ code }) => nameCountry(code) },
          ...measure.metrics.map((metric, at) => ({
            ...{ name: metric, label: measure.heads[at] },
            cell: ({ metrics }: MapPlace) => formatExact(metric, metrics[at] ?? null),
          })),
        ]}
      />
    </div>
  );
}

type CountryProps = Omit<WorldMapProps, 'places' | 'hint'> & {
  readonly path: string;
  readonly shape: Shape;
  readonly place: MapPlace;
  readonly isFirst: boolean;
  readonly strength: number;
  readonly tell: (code: string | undefined) => void;
};

/** Only the first is a tab stop; arrow keys move between `data-row` elements. */
function CountryLink(props: CountryProps) {
  const { shape, place, measure, view, onChange, path, isFirst, strength, tell } = props;
  const { code } = place;
  const toFiltersOf = (operator: 'is' | 'is_not') =>
    filterBy(view.filters, operator, 'visit:country', code);
  const filter = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChange({ filters: toFiltersOf(event.altKey ? 'is_not' : 'is') });
  };
  return (
    <a
      href={`${path}${keptSearch({ ...view, filters: toFiltersOf('is') })}`}
      aria-label={`${nameCountry(code)}: ${toFigures(place, measure)}`}
      tabIndex={isFirst ? 0 : -1}
      data-row=""
      onClick={filter}
      onMouseEnter={() => tell(code)}
      onMouseLeave={() => tell(undefined)}
      onFocus={() => tell(code)}
      onBlur={() => tell(undefined)}
    >
      <path d={shape.path} />
      <path d={shape.path} className={panel.filled} style={{ fillOpacity: strength }} />
    </a>
  );
}

/** The colouring column: the measure's own, or visitors if that is all zero. */
function colouredAt(places: readonly MapPlace[], measure: MapMeasure): number {
  const at = measure.metrics.indexOf(measure.main);
  return places.some(({ metrics }) => toNumber(metrics[at] ?? null) > 0) ? at : 0;
}

function toFigures({ metrics }: MapPlace, measure: MapMeasure): string {
  return measure.metrics
    .map((metric, at) => {
      const head = measure.heads[at] ?? metric;
      return `${formatExact(metric, metrics[at] ?? null)} ${head.toLowerCase()}`;
    })
    .join(' · ');
}

/** The drawing's size, in its own units. */
const MAP_SIZE = { width: 560, height: 272 } as const;

/** A country's outline; no code if visits never carry one. */
type Shape = { readonly key: string; readonly code: string | undefined; readonly path: string };

const ANTARCTICA = '010';

/** The world's countries, equal-area, without Antarctica. Source: Natural Earth, 1:110m. */
const SHAPES: readonly Shape[] = toShapes();

function toShapes(): readonly Shape[] {
  const topology = world as unknown as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const { features } = feature(topology, topology.objects.countries);
  const shown = features.filter(({ id }) => id !== ANTARCTICA);
  const { width, height } = MAP_SIZE;
  const draw = geoPath(
    geoEqualEarth().fitSize([width, height], { type: 'FeatureCollection', features: shown }),
  ).digits(1);
  return shown.map((each) => ({
    key: String(each.id ?? each.properties.name),
    code: toCode(each.id === undefined ? undefined : String(each.id), each.properties.name),
    path: draw(each) ?? '',
  }));
}
