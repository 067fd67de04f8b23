import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** What has the focus at first; the first control when left out. */
  readonly focusOn?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
};

/** A window over the page; Escape and a click beside it close it. */
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
