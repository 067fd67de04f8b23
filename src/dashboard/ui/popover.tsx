import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import { buttonClass } from './button.tsx';
import { classes } from './classes.ts';
import styles from './menu.module.css';

type PopoverProps = {
  /** What the button shows; without one, the window stands beside `anchor`. */
  readonly label?: ReactNode;
  readonly anchor?: RefObject<HTMLElement | null>;
  readonly name?: string;
  readonly className?: string;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
};

/** A small window beside the button that opens it, for forms and calendars. */
export function Popover(props: PopoverProps) {
  const { label, anchor, name, className, isOpen, onOpenChange, align = 'start', children } = props;
  return (
    <Base.Root
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange: (open: boolean) => onOpenChange(open) })}
    >
      {label !== undefined && (
        <Base.Trigger className={className ?? buttonClass()} aria-label={name}>
          {label}
        </Base.Trigger>
      )}
      <Base.Portal>
        <Base.Positioner
          className={styles.layer}
          sideOffset={4}
          align={align}
          {...(anchor && { anchor })}
        >
          <Base.Popup
            className={classes(styles.popup, styles.roomy)}
            aria-label={name ?? (typeof label === 'string' ? label : 'Choices')}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
