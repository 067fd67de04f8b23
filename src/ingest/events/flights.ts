/** Knows when work that has begun is over, without remembering each. */
export interface Flights {
  /** Work begins; it is over when the answered function is called. */
  begin(): () => void;
  /** Resolves when whatever began before this call is over. */
  settled(): Promise<void>;
}

/** Nothing under way. */
export function createFlights(): Flights {
  let current = createFlight();
  let earlier: Promise<unknown> = Promise.resolve();

  return {
    begin() {
      const flight = current;
      flight.count += 1;
      return () => {
        flight.count -= 1;
        if (flight.count === 0) flight.end?.();
      };
    },
    async settled() {
      if (current.count > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        current.end = resolve;
        earlier = Promise.all([earlier, promise]);
        current = createFlight();
      }
      await earlier;
    },
  };
}

/** Those that began between two questions; `end` is there once somebody waits for them. */
function createFlight(): { count: number; end: (() => void) | undefined } {
  return { count: 0, end: undefined };
}
