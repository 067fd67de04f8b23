import { Menu as Base } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { type ReactElement, type ReactNode, type RefObject, useId } from 'react';
import { Arrow, buttonClass } from '../button.tsx';
import { classes } from '../classes.ts';
import styles from './menu.module.css';

/** A menu: its button's content and its items. */
export type MenuProps = {
  readonly label: ReactNode;
  /** Whether an arrow says that something opens. */
  readonly hasArrow?: boolean;
  readonly name?: string;
  readonly className?: string;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
};

/** One action of a menu. */
export type ItemProps = {
  readonly children: ReactNode;
  /** The keyboard shortcut. */
  readonly shortcut?: string;
  readonly onClick?: () => void;
  readonly render?: ReactElement;
};

/** Choices of a menu, one selected. */
export type ChoicesProps<Value extends string> = {
  /** What is chosen, in a small heading. */
  readonly heading?: string;
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly shortcut?: string;
  }[];
  readonly onChoose: (value: Value) => void;
};

/** A section heading in a menu. */
export type HeadingProps = { readonly children: ReactNode };

/** A popover and the button that opens it. */
export type PopoverProps = {
  /** The button's content; without it, the popover attaches to `anchor`. */
  readonly label?: ReactNode;
  readonly anchor?: RefObject<HTMLElement | null>;
  readonly name?: string;
  readonly className?: string;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
};

/** A menu and its button, open at first. */
export function OpenedMenu(props: MenuProps) {
  const { label, hasArrow = true, name, className, children, align = 'start' } = props;
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={className ?? buttonClass()} aria-label={name}>
        {label} {hasArrow && <Arrow />}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.layer} sideOffset={4} align={align}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** One action of a {@link OpenedMenu}. */
export function OpenedItem({ children, shortcut, onClick, render }: ItemProps) {
  return (
    <Base.Item className={styles.item} {...(onClick && { onClick })} {...(render && { render })}>
      {children}
      {shortcut && <kbd className={styles.key}>{shortcut}</kbd>}
    </Base.Item>
  );
}

/** Choices of a {@link OpenedMenu}, one selected. */
export function OpenedChoices<Value extends string>({
  heading,
  value,
  choices,
  onChoose,
}: ChoicesProps<Value>) {
  const id = useId();
  return (
    <Base.RadioGroup
      value={value}
      onValueChange={(chosen: Value) => onChoose(chosen)}
      aria-labelledby={heading && id}
    >
      {heading && (
        <div id={id} className={styles.heading}>
          {heading}
        </div>
      )}
      {choices.map((choice) => (
        <Base.RadioItem
          key={choice.value}
          value={choice.value}
          className={styles.item}
          closeOnClick
        >
          {choice.label}
          {choice.shortcut && <kbd className={styles.key}>{choice.shortcut}</kbd>}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

/** A separator in a {@link OpenedMenu}. */
export function OpenedLine() {
  return <Base.Separator className={styles.line} />;
}

/** A section heading in a {@link OpenedMenu}. */
export function OpenedHeading({ children }: HeadingProps) {
  return <div className={styles.heading}>{children}</div>;
}

/** A popover and its button, initially open. */
export function OpenedPopover(props: PopoverProps) {
  const { label, anchor, name, className, isOpen, onOpenChange, align = 'start', children } = props;
  return (
    <BasePopover.Root
      {...(isOpen === undefined ? { defaultOpen: true } : { open: isOpen })}
      {...(onOpenChange && { onOpenChange: (open: boolean) => onOpenChange(open) })}
    >
      {label !== undefined && (
        <BasePopover.Trigger className={className ?? buttonClass()} aria-label={name}>
          {label}
        </BasePopover.Trigger>
      )}
      <BasePopover.Portal>
        <BasePopover.Positioner
          className={styles.layer}
          sideOffset={4}
          align={align}
          {...(anchor && { anchor })}
        >
          <BasePopover.Popup
            className={classes(styles.popup, styles.roomy)}
            aria-label={name ?? (typeof label === 'string' ? label : 'Choices')}
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
