import { UnavailableError } from '#domain/unavailable.ts';

/** The warehouse did not answer: it is starting, has died, or is overloaded. */
export class WarehouseUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super('The warehouse does not answer just now.', cause);
    this.name = 'WarehouseUnavailableError';
  }
}
