import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** What gets the initial focus; by default, the first control. */
  readonly focusOn?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
};

/** A modal over the page; Escape or a click outside closes it. */
export function Dialog({ title, isOpen, onClose, isWide = false, focusOn, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.shade} />
        <Base.Popup
          className={classes(styles.popup, isWide && styles.wide)}
          {...(focusOn && { initialFocus: focusOn })}
        >
          <div className={styles.head}>
            <Base.Title>{title}</Base.Title>
            <Base.Close className={styles.close} aria-label="Close">
              ✕
            </Base.Close>
          </div>
          <div className={styles.body}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
