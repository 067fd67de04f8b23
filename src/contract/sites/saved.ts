import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { Strict } from '../query-fields.ts';
import { FUNNEL_STEPS } from '../reports/funnel.ts';
import { Step, Within } from '../step.ts';
import { FOREIGN_ID_PATTERN, Text } from '../text.ts';

const Line = (maxLength: number, description: string) =>
  Text({ minLength: 1, maxLength, pattern: FOREIGN_ID_PATTERN, description });
const KEPT = { id: Type.String(), created_at: Type.String() };
const filters = Type.Array(Type.Array(Type.Unknown()), {
  minItems: 1,
  maxItems: 50,
  description: 'As a query has them.',
});
const shared = Type.Boolean({
  description: 'Whether everybody on the site sees it; otherwise only who saved it.',
});

const SEGMENT = { name: Line(100, 'What it is called.'), filters };
/** A named set of filters, as it is sent. */
export const NewSegment = Strict({ ...SEGMENT, shared: Type.Optional(shared) });
/** What may change of a segment. */
export const SegmentChange = Strict(optional({ ...SEGMENT, shared }));
/** A named set of filters. */
export const Segment = Type.Object(
  { ...KEPT, ...SEGMENT, shared },
  { description: 'The segment.' },
);
export type Segment = Static<typeof Segment>;

const steps = Type.Array(Step, { minItems: FUNNEL_STEPS.min, maxItems: FUNNEL_STEPS.max });
const FUNNEL = { name: Line(100, 'What it is called.'), steps };
/** A funnel with a name, as it is sent. */
export const NewFunnel = Strict({ ...FUNNEL, within: Type.Optional(Within) });
/** What may change of a saved funnel. */
export const FunnelChange = Strict(optional({ ...FUNNEL, within: Within }));
/** A funnel with a name. */
export const SavedFunnel = Type.Object(
  { ...KEPT, ...FUNNEL, within: Type.Optional(Within) },
  { description: 'The funnel.' },
);
export type SavedFunnel = Static<typeof SavedFunnel>;

const ANNOTATION = {
  at: Type.String({
    maxLength: 40,
    description: 'A day of the site, or an instant with its offset.',
    examples: ['2026-11-09', '2026-11-09T14:00:00Z'],
  }),
  text: Line(200, 'What happened.'),
};
/** A note on the chart, as it is sent. */
export const NewAnnotation = Strict(ANNOTATION);
/** What may change of a note. */
export const AnnotationChange = Strict(optional(ANNOTATION));
/** A note on the chart. */
export const Annotation = Type.Object(
  { ...KEPT, ...ANNOTATION },
  { description: 'The annotation.' },
);
export type Annotation = Static<typeof Annotation>;
