/** Lines on their way to one table of the warehouse. */
export type Shipment = {
  readonly table: string;
  readonly lines: Buffer;
  readonly rows: number;
  /** Lets a retry of the very same lines insert nothing twice. */
  readonly token?: string;
  /** More was waiting behind these lines when they were taken: it goes at once, not a second later. */
  readonly hasMore: boolean;
  /** More waits behind these lines that is in no hurry: it goes with the next shipping interval. */
  readonly hasMoreLater?: boolean;
  /** It was under way when the last process ended: the warehouse may have all, some or none of it. */
  readonly isInDoubt?: boolean;
  /** Called when the warehouse has the lines durably. */
  confirm(): void;
  /** Called when the warehouse cannot read the lines: the source's next shipment is another one. */
  refuse?(error: unknown): void;
};

/** A durable store that rows leave for the warehouse, oldest first. */
export interface ShipmentSource {
  /** The next lines to ship; the same again until they are confirmed. */
  nextShipment(): Shipment | undefined;
}
