import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import { classes } from './classes.ts';
import styles from './menu.module.css';

type PopoverProps = {
  readonly label: ReactNode;
  readonly name?: string;
  readonly className?: string;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
};

/** A button that opens a small window beside it, for forms and calendars. */
export function Popover(props: PopoverProps) {
  const { label, name, className, isOpen, onOpenChange, align = 'start', children } = props;
  return (
    <Base.Root
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange: (open: boolean) => onOpenChange(open) })}
    >
      <Base.Trigger className={className ?? buttonClass()} aria-label={name}>
        {label}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.layer} sideOffset={4} align={align}>
          <Base.Popup className={classes(styles.popup, styles.roomy)}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
