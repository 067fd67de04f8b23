import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { FOREIGN_ID_PATTERN } from '../patterns.ts';
import { Strict } from '../query-fields.ts';
import { FUNNEL_STEPS } from '../reports/funnel.ts';
import { Step, Within } from '../step.ts';
import { Text } from '../text.ts';
import { SitePath } from './site.ts';

const Line = (maxLength: number, description: string) =>
  Text({ minLength: 1, maxLength, pattern: FOREIGN_ID_PATTERN, description });
const KEPT = { id: Type.String(), created_at: Type.String() };
const filters = Type.Array(Type.Array(Type.Unknown()), {
  minItems: 1,
  maxItems: 50,
  description: 'Filters, as in a query.',
});
const shared = Type.Boolean({
  description: 'Whether everyone with access to the site sees it, or only its author.',
});

/** The path parameters of a saved item. */
export const SavedPath = Type.Object({ ...SitePath.properties, saved: Type.String() });

const SEGMENT = { name: Line(100, 'Display name.'), filters };
/** The request to save a segment. */
export const NewSegment = Strict({ ...SEGMENT, shared: Type.Optional(shared) });
/** The request to change a segment. */
export const SegmentChange = Strict(optional({ ...SEGMENT, shared }));
/** A saved segment: a named set of filters. */
export const Segment = Type.Object(
  { ...KEPT, ...SEGMENT, shared },
  { title: 'Segment', description: 'The segment.' },
);
export type Segment = Static<typeof Segment>;
/** The segments that somebody sees. */
export const SegmentsAnswer = Type.Object(
  { segments: Type.Array(Segment) },
  { description: 'The shared segments, and the user’s own.' },
);
export type SegmentsAnswer = Static<typeof SegmentsAnswer>;

const steps = Type.Array(Step, { minItems: FUNNEL_STEPS.min, maxItems: FUNNEL_STEPS.max });
const FUNNEL = { name: Line(100, 'Display name.'), steps };
/** The request to save a funnel. */
export const NewFunnel = Strict({ ...FUNNEL, within: Type.Optional(Within) });
/** The request to change a saved funnel. */
export const FunnelChange = Strict(optional({ ...FUNNEL, within: Within }));
/** A saved funnel. */
export const SavedFunnel = Type.Object(
  { ...KEPT, ...FUNNEL, within: Type.Optional(Within) },
  { title: 'Funnel', description: 'The funnel.' },
);
export type SavedFunnel = Static<typeof SavedFunnel>;
/** The funnels of a site. */
export const SavedFunnelsAnswer = Type.Object(
  { funnels: Type.Array(SavedFunnel) },
  { description: 'The shared funnels.' },
);
export type SavedFunnelsAnswer = Static<typeof SavedFunnelsAnswer>;

const ANNOTATION = {
  at: Type.String({
    maxLength: 40,
    description: "A day in the site's time zone, or an instant with an offset.",
    examples: ['2026-11-09', '2026-11-09T14:00:00Z'],
  }),
  text: Line(200, 'What happened.'),
};
/** The request to save an annotation. */
export const NewAnnotation = Strict(ANNOTATION);
/** The request to change an annotation. */
export const AnnotationChange = Strict(optional(ANNOTATION));
/** An annotation: a dated note on the chart. */
export const Annotation = Type.Object(
  { ...KEPT, ...ANNOTATION },
  { title: 'Annotation', description: 'The annotation.' },
);
export type Annotation = Static<typeof Annotation>;
/** The annotations of a site. */
export const AnnotationsAnswer = Type.Object(
  { annotations: Type.Array(Annotation) },
  { description: 'The shared annotations.' },
);
export type AnnotationsAnswer = Static<typeof AnnotationsAnswer>;
