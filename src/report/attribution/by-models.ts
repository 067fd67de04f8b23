import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Metric, Part } from '../metric.ts';

/**
 * The metrics of a query that asks for several models: each that is credited once for each model, as
 * `revenue:linear`, in the order of the models; the others as they are.
 */
export function byModels(
  metrics: readonly Metric[],
  models: readonly AttributionModel[] | undefined,
): readonly Metric[] {
  if (models === undefined) return metrics;
  return metrics.flatMap((metric) =>
    isCredited(metric) ? models.map((model) => byModel(metric, model)) : [metric],
  );
}

/** Whether a metric is counted from what visits get the credit for. */
export function isCredited({ parts }: Metric): boolean {
  return parts.some(isOfCredit);
}

function byModel({ name, unit, parts }: Metric, model: AttributionModel): Metric {
  const ofModel = parts.map((part) => (isOfCredit(part) ? { ...part, model } : part));
  return { name: `${name}:${model}`, unit, parts: ofModel };
}

function isOfCredit({ of }: Part): boolean {
  return of === 'payments' || of === 'conversions';
}
