import { type ComponentType, type CSSProperties, lazy, type ReactNode, Suspense } from 'react';
import { Button } from './button.tsx';
import styles from './layout.module.css';
import { Inset } from './layout.tsx';

/** What is asked of a server, as far as it is here. */
type Loadable<Answer> = Pick<UnloadedProps, 'refetch'> & {
  readonly data: Answer | undefined;
  readonly error: Error | null;
};

type LoadedProps<Answer> = Pick<UnloadedProps, 'width' | 'height'> & {
  readonly of: Loadable<Answer>;
  /** Whether the grey box that stands for it until it is here has a card's distance from its edges. */
  readonly isInset?: boolean;
  /** Whether newer figures are on their way. */
  readonly isOld?: boolean;
  /** By default, an answer without `results` is empty. */
  readonly isEmpty?: (answer: Answer) => boolean;
  /** What would fill it. */
  readonly empty?: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
};

/** An answer once it is here: before that, a placeholder, or why it failed and a way to ask again. */
export function Loaded<Answer>(props: LoadedProps<Answer>) {
  const { of, isInset, isOld, isEmpty = hasNoResults, empty, children, ...size } = props;
  const { data, error, refetch } = of;
  if (data === undefined) {
    const box = <Bones {...size} />;
    const inset = <Inset style={{ paddingBottom: 'var(--gutter)' }}>{box}</Inset>;
    return <Unloaded {...{ error, refetch }}>{isInset ? inset : box}</Unloaded>;
  }
  if (empty !== undefined && isEmpty(data)) return <EmptyNote>{empty}</EmptyNote>;
  if (isOld === undefined) return children(data);
  return <div data-old={isOld}>{children(data)}</div>;
}

function hasNoResults(answer: unknown): boolean {
  return (answer as { readonly results?: readonly unknown[] } | null)?.results?.length === 0;
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

/** An empty state: one sentence, and what would fill it. */
export function EmptyNote({ children }: { readonly children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}

/** What went wrong, what to do about it, and a retry button. */
export function ErrorNote({ error, onRetry }: { readonly error: Error; onRetry?: () => void }) {
  return (
    <div className={styles.note} role="alert">
      <strong>This could not be loaded.</strong>
      <span>{error.message}</span>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

type Size = Pick<CSSProperties, 'width' | 'height'>;

/** Where an answer stands that is not here. */
type UnloadedProps = Size & {
  readonly error: Error | null;
  readonly refetch: () => unknown;
  /** Another placeholder. */
  readonly children?: ReactNode;
};

/** What stands for an answer that is not here: a placeholder, or why it cannot be loaded. */
export function Unloaded({ error, refetch, children, ...size }: UnloadedProps) {
  if (error === null) return children ?? <Bones {...size} />;
  return <ErrorNote error={error} onRetry={() => void refetch()} />;
}

/** A grey placeholder of the content's size. It takes no click, which would be lost if content came before its end. */
export function Bones({ width = '100%', height = 16 }: Size) {
  const style = { width, height, pointerEvents: 'none' } as const;
  return <div className={styles.bones} style={style} aria-hidden="true" />;
}

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** A component of a module, which is loaded when it is first shown. Without a placeholder, what is around waits. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  placeholder?: ReactNode,
) {
  const Part = lazy(async () => ({ default: (await load())[name] as ComponentType<object> }));
  const withPlaceholder = (props: object) => (
    <Suspense fallback={placeholder}>
      <Part {...props} />
    </Suspense>
  );
  const shown: unknown = placeholder === undefined ? Part : withPlaceholder;
  return shown as ComponentType<PropsOf<Module[Name]>>;
}
