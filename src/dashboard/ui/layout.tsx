import { type ComponentProps, type ElementType, Fragment, type ReactNode } from 'react';
import styles from './layout.module.css';

type Gap = 0 | 1 | 2 | 4 | 8 | 12 | 16 | 24 | '4px 16px' | '8px 16px' | '8px 24px';

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
  const { as: Element = 'div', gap = 16, least, className, style, ...others } = props;
  const own = { gap, '--least': `${least}px`, ...style };
  return <Element {...others} className={classes(styles.columns, className)} style={own} />;
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
export function DividedList(props: Pick<BoxProps, 'as' | 'children'> & { isInset?: boolean }) {
  const { as: Element = 'ul', isInset = false, children } = props;
  return <Element className={classes(styles.divided, isInset && styles.apart)}>{children}</Element>;
}

/** How words look: what they mean, how large they are, and what becomes of long ones. */
export type WordLook =
  | ('soft' | 'good' | 'bad' | 'ink' | 'people' | 'link' | 'back' | 'badge' | 'round')
  | ('hidden' | 'tiny' | 'small' | 'large' | 'bold' | 'cut' | 'named' | 'broken' | 'dot')
  | ('wide' | 'narrow' | 'gone');

/** The class of words that are in a link, a cell or a button. */
export function wordsClass(...looks: readonly (WordLook | false | undefined)[]): string {
  return classes(...looks.map((look) => look && styles[look]));
}

type TextProps = ComponentProps<'span'> & {
  readonly as?: ElementType;
  /** One or more of {@link WordLook}: `soft small`. */
  readonly look: WordLook | readonly (WordLook | false | undefined)[];
};

/** What people should know of the page, in a box of its own. */
export function Notice({ className, ...props }: ComponentProps<'div'>) {
  return <div role="status" {...props} className={classes(styles.notice, className)} />;
}

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
  /** Those without a value are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Whether each value stands beside its name rather than below it. */
  readonly isSide?: boolean;
};

/** Names and values, several in a row where there is room. */
export function FactList({ facts, isSide = false }: FactsProps) {
  const known = facts.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return (
    <dl className={classes(styles.facts, isSide && styles.side)}>
      {known.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several facts may share a name.
        <div key={`${name} ${at}`}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? <LongWord text={value} /> : value}</dd>
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

/** A white box with a hairline border. */
export function Card({
  isPadded = false,
  className,
  ...props
}: ComponentProps<'section'> & { readonly isPadded?: boolean }) {
  return (
    <section {...props} className={classes(styles.card, isPadded && styles.padded, className)} />
  );
}

/** A card with a title, and its parts below each other. */
export function Section({ title, children, ...props }: ComponentProps<'section'>) {
  return (
    <Card {...props} isPadded className={styles.section}>
      <h2>{title}</h2>
      {children}
    </Card>
  );
}

/** Text for screen readers only. */
export function Hidden({ children }: { readonly children: ReactNode }) {
  return <Words look="hidden">{children}</Words>;
}

/** Text that breaks after a separator where a line is too short, rather than anywhere. Domains of e-mails stay whole. */
export function LongWord({ text }: { readonly text: string }) {
  return text.split(/(?<=@|^[^@]*[._+-])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

type LengthBarProps = ComponentProps<'span'> & {
  /** From 0 to 1. */
  readonly length: number;
  readonly colour: string;
  readonly height?: number;
};

/** A bar of a length; what is in it is a part of it. Screen readers get the figure beside it. */
export function LengthBar({ length, colour, height = 4, style, ...props }: LengthBarProps) {
  const shape = { display: 'block', width: `${length * 100}%`, height, borderRadius: height / 2 };
  return <span aria-hidden="true" {...props} style={{ ...shape, background: colour, ...style }} />;
}

/** A line with a leading tick or cross. */
export function TickLine(props: { readonly isGood: boolean; readonly children: ReactNode }) {
  const { isGood, children } = props;
  return (
    <p className={styles.tick} data-good={isGood}>
      <i role="img" aria-label={isGood ? 'Good' : 'Bad'}>
        {isGood ? '✓' : '✕'}
      </i>
      <span>{children}</span>
    </p>
  );
}

/** What is waited for, with a dot that pulses. */
export function Waiting({ children }: Pick<BoxProps, 'children'>) {
  return (
    <Inline as="p" style={{ flexWrap: 'nowrap' }}>
      <span className={styles.pulse} aria-hidden="true" /> <span>{children}</span>
    </Inline>
  );
}

/** Joins class names, skipping missing ones. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
