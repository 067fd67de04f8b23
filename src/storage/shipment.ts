/** Lines to insert into one table of the warehouse. */
export type Shipment = {
  readonly table: string;
  readonly lines: Buffer;
  readonly rows: number;
  /** Deduplication token: a retry of the same lines inserts nothing twice. */
  readonly token?: string;
  /** Whether more is waiting that should ship immediately. */
  readonly hasMore: boolean;
  /** Whether more is waiting that can ship with the next interval, or sooner, after what other sources have. */
  readonly hasMoreLater?: boolean | 'soon';
  /** It was in flight when the last process ended. The warehouse may have all, some or none of it. */
  readonly isInDoubt?: boolean;
  /** Called when the warehouse has the lines durably. */
  confirm(): void | Promise<void>;
  /** Called when the warehouse cannot read the lines. The source's next shipment is then a different one. */
  refuse?(error: unknown): void | Promise<void>;
};

/** A durable store whose rows ship to the warehouse, oldest first. */
export interface ShipmentSource {
  /** The next shipment. Returns the same one until it is confirmed. */
  nextShipment(): Shipment | undefined | Promise<Shipment | undefined>;
}
