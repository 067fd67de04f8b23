import type { ReactElement, ReactNode, RefObject } from 'react';

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
