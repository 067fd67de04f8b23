import type { ComponentProps, ElementType, ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './layout.module.css';

type Gap = 0 | 2 | 4 | 8 | 12 | 16 | 24 | '4px 16px' | '8px 16px' | '8px 24px';

type BoxProps = ComponentProps<'div'> & {
  /** The element, if it is no `div`. */
  readonly as?: ElementType;
  readonly gap?: Gap;
};

/** Parts below each other. */
export function Stack({ as: Element = 'div', gap = 16, className, style, ...props }: BoxProps) {
  return (
    <Element {...props} className={classes(styles.stack, className)} style={{ gap, ...style }} />
  );
}

/** Parts beside each other; they wrap. */
export function Inline(props: BoxProps & { readonly isSpread?: boolean }) {
  const { as: Element = 'div', gap = 8, isSpread, className, style, ...others } = props;
  const look = classes(styles.row, isSpread && styles.spread, className);
  return <Element {...others} className={look} style={{ gap, ...style }} />;
}

/** As many equal columns as have at least a width. */
export function Columns(props: BoxProps & { readonly least: number }) {
  const { as: Element = 'div', gap = 16, least, className, ...others } = props;
  const style = { gap, '--least': `${least}px` };
  return <Element {...others} className={classes(styles.columns, className)} style={style} />;
}

/** The title of a card, and what stands beside it. */
export function CardHead({ className, ...props }: ComponentProps<'div'>) {
  return <div {...props} className={classes(styles.row, styles.spread, styles.head, className)} />;
}

/** What has a card's distance from its edges, beside tables that have it themselves. */
export function Inset({ className, ...props }: ComponentProps<'div'>) {
  return <div {...props} className={classes(styles.inset, className)} />;
}

/** A list with a line above each entry. */
export function DividedList({ as: Element = 'ul', ...props }: Pick<BoxProps, 'as' | 'children'>) {
  return <Element {...props} className={styles.divided} />;
}

/** How words look: what they mean, how large they are, and what becomes of long ones. */
export type WordLook =
  | ('soft' | 'good' | 'bad' | 'link' | 'back')
  | ('tiny' | 'small' | 'large' | 'bold' | 'cut' | 'named' | 'broken' | 'dot');

/** The class of words that are in a link, a cell or a button. */
export function wordsClass(...looks: readonly (WordLook | false | undefined)[]): string {
  return classes(...looks.map((look) => look && styles[look]));
}

type TextProps = ComponentProps<'span'> & {
  readonly as?: ElementType;
  /** One or more of {@link WordLook}: `soft small`. */
  readonly look: WordLook | readonly (WordLook | false | undefined)[];
};

/** Words of a look, in a `span` unless it says otherwise. */
export function Words({ as: Element = 'span', look, className, ...props }: TextProps) {
  const own = wordsClass(...[look].flat());
  return <Element {...props} className={classes(own, className)} />;
}

/** A paragraph of lesser importance. */
export function Soft({ children, ...props }: ComponentProps<'p'>) {
  return (
    <p {...props} className={styles.soft}>
      {children}
    </p>
  );
}

type FactsProps = {
  readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
};

/** Names and values, side by side where there is room. */
export function FactList({ facts }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several facts may share a name.
        <div key={`${name} ${at}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What happened, line by line. */
export function Log({ className, ...props }: ComponentProps<'ol'>) {
  return <ol {...props} className={classes(styles.log, className)} />;
}

type LogLineProps = {
  /** An instant, and how it is written. */
  readonly at: string;
  readonly time: string;
  readonly mood: 'quiet' | 'people' | 'good' | 'bad';
  readonly children: ReactNode;
};

/** One line of a {@link Log}: when, and what it was, with a dot in the colour of its mood. */
export function LogLine({ at, time, mood, children }: LogLineProps) {
  return (
    <li className={styles.line} data-mood={mood}>
      <time dateTime={at}>{time}</time>
      <div>{children}</div>
    </li>
  );
}
