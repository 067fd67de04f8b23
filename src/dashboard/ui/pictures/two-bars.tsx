import styles from './two-bars.module.css';

type TwoBarsProps = {
  /** The length of the pale bar, from 0 to 1. */
  readonly first: number;
  /** The length of the one below it, if there is one. */
  readonly second?: number | undefined;
  /** Whether the second is money. */
  readonly isMoney?: boolean;
};

/** Two thin bars below a name, so that a longer second one stands out. */
export function TwoBars({ first, second, isMoney = true }: TwoBarsProps) {
  return (
    <span className={styles.bars} aria-hidden="true">
      <i style={{ width: `${first * 100}%` }} />
      {second !== undefined && <i data-money={isMoney} style={{ width: `${second * 100}%` }} />}
    </span>
  );
}
