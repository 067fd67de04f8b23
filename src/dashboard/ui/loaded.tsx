import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './layout.module.css';
import { EmptyNote, Unloaded, type UnloadedProps } from './note.tsx';

/** What is asked of a server, as far as it is here. */
type Loadable<Answer> = Pick<UnloadedProps, 'refetch'> & {
  readonly data: Answer | undefined;
  readonly error: Error | null;
};

type LoadedProps<Answer> = Pick<UnloadedProps, 'width' | 'height'> & {
  readonly of: Loadable<Answer>;
  /** What stands for it until it is here, if no grey box does. */
  readonly waiting?: ReactNode;
  /** Whether newer figures are on their way. */
  readonly isOld?: boolean;
  readonly isEmpty?: (answer: Answer) => boolean;
  /** What would fill it. */
  readonly empty?: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
};

/** An answer once it is here: before that, a placeholder, or why it failed and a way to ask again. */
export function Loaded<Answer>(props: LoadedProps<Answer>) {
  const { of, waiting, isOld, isEmpty, empty, children, ...size } = props;
  const { data, error, refetch } = of;
  if (data === undefined) {
    return <Unloaded {...{ error, refetch, ...size }}>{waiting}</Unloaded>;
  }
  if (isEmpty?.(data)) return <EmptyNote>{empty}</EmptyNote>;
  if (isOld === undefined) return children(data);
  return <div data-old={isOld}>{children(data)}</div>;
}

type ShowMoreProps = {
  readonly of: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly children?: ReactNode;
};

/** A button for the next page of a list, as long as there is one. */
export function ShowMore({ of, children = 'Show more' }: ShowMoreProps) {
  if (!of.hasNextPage) return null;
  return (
    <div className={styles.more}>
      <Button disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {of.isFetchNextPageError ? 'Loading failed. Try again' : children}
      </Button>
    </div>
  );
}
