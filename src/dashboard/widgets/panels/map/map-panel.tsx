import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { isOld, useAnswer } from '../../../api/query.ts';
import { EmptyNote } from '../../../ui/note.tsx';
import { measureOf } from '../choice.ts';
import { Foot } from '../foot.tsx';
import panel from '../panel.module.css';
import { toAsked } from '../panel-query.ts';
import { UnloadedPanel } from '../skeleton.tsx';
import type { PanelProps } from '../use-choice.ts';
import { SHAPES } from './shapes.ts';
import { type MapPlace, WorldMap } from './world-map.tsx';

/** There are about 250 country codes. */
const COUNTRIES_MAX = 300;
const DIMENSION = 'visit:country';

/** A map of where visitors are: the stronger the colour, the more visitors. */
export function MapPanel({ view, onChange, choice }: PanelProps) {
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
  return (
    <>
      <div className={panel.body} data-old={isOld(answer)}>
        {known.length === 0 ? (
          <EmptyNote>{choice.tab.empty}</EmptyNote>
        ) : (
          <WorldMap places={known} measure={measure} view={view} onChange={onChange} />
        )}
      </div>
      <Foot
        note={`${known.length} ${known.length === 1 ? 'country' : 'countries'}${
          tooSmall === 0 ? '' : `, ${tooSmall} too small to draw`
        }`}
        {...{ view, onChange, asked }}
        tab={choice.tab}
      />
    </>
  );
}
