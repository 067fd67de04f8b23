import type { ReactElement, ReactNode, RefObject } from 'react';

/** A menu: what its button shows, and what is in it. */
export type MenuProps = {
  readonly label: ReactNode;
  readonly name?: string;
  readonly className?: string;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
};

/** One action of a menu. */
export type ItemProps = {
  readonly children: ReactNode;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly onClick?: () => void;
  readonly render?: ReactElement;
};

/** Choices of a menu of which one holds. */
export type ChoicesProps<Value extends string> = {
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly shortcut?: string;
  }[];
  readonly onChoose: (value: Value) => void;
};

/** The name of a part of a menu. */
export type HeadingProps = { readonly children: ReactNode };

/** A small window, and the button that opens it. */
export type PopoverProps = {
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
