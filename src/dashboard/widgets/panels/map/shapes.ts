import { geoEqualEarth, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import world from 'world-atlas/countries-110m.json';
import { toCode } from './countries.ts';

/** The drawing's size, in its own units. */
export const MAP_SIZE = { width: 560, height: 272 } as const;

/** A country's outline; no code if visits never carry one. */
export type Shape = {
  readonly key: string;
  readonly code: string | undefined;
  readonly path: string;
};

const ANTARCTICA = '010';

/** The world's countries, equal-area, without Antarctica. Source: Natural Earth, 1:110m. */
export const SHAPES: readonly Shape[] = toShapes();

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
