import * as forms from '#contract/sites/saved.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import type { Server } from '#server/server-type.ts';
import { addSavedRoute, type SavedDeps } from './saved-route.ts';

/** `/api/v1/sites/{id}/segments`, `/funnels` and `/annotations`: items saved for a site. */
export function addSavedRoutes(
  server: Server,
  deps: SavedDeps,
  { breakdowns, funnel }: Pick<Reports, 'breakdowns' | 'funnel'>,
): void {
  addSavedRoute(server, deps, {
    ...{ kind: 'segment', name: 'Segment', mayBeOwn: true, max: 100 },
    forms: [forms.NewSegment, forms.SegmentChange, forms.Segment, forms.SegmentsAnswer],
    findFaults: (site, { filters }) => breakdowns.findMoreFaults(site, { filters }, []),
  });
  addSavedRoute(server, deps, {
    ...{ kind: 'funnel', name: 'Funnel', mayBeOwn: false, max: 100 },
    forms: [forms.NewFunnel, forms.FunnelChange, forms.SavedFunnel, forms.SavedFunnelsAnswer],
    findFaults: (site, { steps, within }) =>
      funnel.findMoreFaults(site, { steps, ...(within !== undefined && { within }) }, []),
  });
  addSavedRoute(server, deps, {
    ...{ kind: 'annotation', name: 'Annotation', mayBeOwn: false, max: 500 },
    forms: [forms.NewAnnotation, forms.AnnotationChange, forms.Annotation, forms.AnnotationsAnswer],
    findFaults: (_site, { at }) =>
      isMoment(String(at))
        ? []
        : [{ path: '/at', message: 'must be a day (2026-11-09) or an instant with an offset' }],
  });
}

function isMoment(text: string): boolean {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text) !== undefined;
    return Temporal.Instant.from(text) !== undefined;
  } catch {
    return false;
  }
}
