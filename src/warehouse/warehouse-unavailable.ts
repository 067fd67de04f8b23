import { ClickHouseError } from '@clickhouse/client';
import { UnavailableError } from '#domain/unavailable.ts';

/** The warehouse did not answer: it is starting, has died, or is overloaded. */
export class WarehouseUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super('The warehouse does not answer just now.', cause);
    this.name = 'WarehouseUnavailableError';
  }
}

/** ClickHouse's names for what is not there: it is just being made, or was lost. */
export const LACKING: readonly string[] = ['UNKNOWN_DATABASE', 'UNKNOWN_TABLE'];

/** Whether it was the engine that answered, and it had no such table. */
export function lacksTables(error: unknown): boolean {
  if (!(error instanceof WarehouseUnavailableError)) return false;
  return error.cause instanceof ClickHouseError && LACKING.includes(error.cause.type ?? '');
}
