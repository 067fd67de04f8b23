import type { CSSProperties, ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './note.module.css';

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
export type UnloadedProps = Size & {
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

/** A grey placeholder of the content's size. */
export function Bones({ width = '100%', height = 16 }: Size) {
  return <div className={styles.bones} style={{ width, height }} aria-hidden="true" />;
}

/** A line with a leading tick or cross. */
export function TickLine(props: { readonly isGood: boolean; readonly children: ReactNode }) {
  const { isGood, children } = props;
  return (
    <p className={styles.tick} data-good={isGood}>
      <i role="img" aria-label={isGood ? 'Good' : 'Bad'}>
        {isGood ? '✓' : '✕'}
      </i>
      <span>{children}</span>
    </p>
  );
}
