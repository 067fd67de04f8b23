import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import { classes } from './classes.ts';
import styles from './menu.module.css';

type MenuProps = {
  readonly label: ReactNode;
  readonly name?: string;
  readonly className?: string;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
};

/** A button that opens a list of actions or choices. */
export function Menu({ label, name, className, children, align = 'start' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger className={className ?? buttonClass()} aria-label={name}>
        {label}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.layer} sideOffset={4} align={align}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type ItemProps = {
  readonly children: ReactNode;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly onClick?: () => void;
  readonly render?: ReactElement;
};

/** One action of a {@link Menu}. */
export function MenuItem({ children, shortcut, onClick, render }: ItemProps) {
  return (
    <Base.Item className={styles.item} {...(onClick && { onClick })} {...(render && { render })}>
      {children}
      {shortcut && <kbd className={styles.key}>{shortcut}</kbd>}
    </Base.Item>
  );
}

type ChoiceProps<Value extends string> = {
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly shortcut?: string;
  }[];
  readonly onChoose: (value: Value) => void;
};

/** Choices of a {@link Menu} of which one holds. */
export function MenuChoices<Value extends string>({
  value,
  choices,
  onChoose,
}: ChoiceProps<Value>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(chosen: Value) => onChoose(chosen)}>
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

/** A line between parts of a {@link Menu}. */
export function MenuLine() {
  return <Base.Separator className={styles.line} />;
}

/** The name of a part of a {@link Menu}. */
export function MenuHeading({ children }: { readonly children: ReactNode }) {
  return <div className={classes(styles.heading)}>{children}</div>;
}
