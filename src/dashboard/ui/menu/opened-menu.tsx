import { Menu as Base } from '@base-ui/react/menu';
import { useId } from 'react';
import { buttonClass } from '../button.tsx';
import { classes } from '../classes.ts';
import { Arrow } from './arrow.tsx';
import styles from './menu.module.css';
import type { ChoicesProps, HeadingProps, ItemProps, MenuProps } from './menu-props.ts';

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
  return <div className={classes(styles.heading)}>{children}</div>;
}
