/** What the script reports beside the facts that every event carries. */
export type TrackerEvent =
  | { readonly type: 'pageview'; readonly referrer: string }
  | {
      readonly type: 'goal';
      readonly name: string;
      readonly metadata: Readonly<Record<string, string>> | undefined;
    };
