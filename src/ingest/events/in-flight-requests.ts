/** Creates a tracker without requests. */
export function createInFlightRequests() {
  let current = createGeneration();
  let earlier: Promise<unknown> = Promise.resolve();

  return {
    /** Begins a request. Call the returned function to end it. */
    begin(): () => void {
      const generation = current;
      generation.count += 1;
      return () => {
        generation.count -= 1;
        if (generation.count === 0) generation.end?.();
      };
    },
    /** Resolves when every request that began before this call has ended. */
    async ended(): Promise<void> {
      if (current.count > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        current.end = resolve;
        earlier = Promise.all([earlier, promise]);
        current = createGeneration();
      }
      await earlier;
    },
  };
}

/** The requests that began between two calls of `ended`. `end` is set once a caller waits. */
function createGeneration(): { count: number; end: (() => void) | undefined } {
  return { count: 0, end: undefined };
}
