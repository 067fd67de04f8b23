import * as forms from '#contract/sites/saved.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import type { Server } from '#server/server-type.ts';
import { ANNOTATIONS } from './annotate.ts';
import { addSavedRoute, type SavedDeps } from './saved-route.ts';

/** `/api/v1/sites/{id}/segments`, `/funnels` and `/annotations`: items saved for a site. */
export function addSavedRoutes(
  server: Server,
  deps: SavedDeps,
  { breakdowns, funnel }: Pick<Reports, 'breakdowns' | 'funnel'>,
): void {
  addSavedRoute(server, deps, {
    ...{ name: 'Segment', mayBeOwn: true },
    forms: [forms.NewSegment, forms.SegmentChange, forms.Segment, forms.SegmentsAnswer],
    form: {
      ...{ kind: 'segment', max: 100 },
      findFaults: (site, { filters }) => breakdowns.findMoreFaults(site, { filters }, []),
    },
  });
  addSavedRoute(server, deps, {
    ...{ name: 'Funnel', mayBeOwn: false },
    forms: [forms.NewFunnel, forms.FunnelChange, forms.SavedFunnel, forms.SavedFunnelsAnswer],
    form: {
      ...{ kind: 'funnel', max: 100 },
      findFaults: (site, { steps, within }) =>
        funnel.findMoreFaults(site, { steps, ...(within !== undefined && { within }) }, []),
    },
  });
  addSavedRoute(server, deps, {
    ...{ name: 'Annotation', mayBeOwn: false, scope: 'annotations:write', form: ANNOTATIONS },
    forms: [forms.NewAnnotation, forms.AnnotationChange, forms.Annotation, forms.AnnotationsAnswer],
  });
}
