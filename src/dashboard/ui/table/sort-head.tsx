import type { ReactNode } from 'react';

type SortHeadProps = {
  readonly children: ReactNode;
  /** How the rows are sorted by this column; undefined if they are not. */
  readonly direction: 'asc' | 'desc' | undefined;
  readonly onSort: () => void;
  readonly className?: string | undefined;
  readonly buttonClass?: string | undefined;
};

/** The head of a column by which rows can be sorted. */
export function SortHead(props: SortHeadProps) {
  const { children, direction, onSort, className, buttonClass } = props;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
    >
      <button type="button" className={buttonClass} onClick={onSort}>
        {children}
        {direction && <span aria-hidden="true">{direction === 'asc' ? '\u00a0↑' : '\u00a0↓'}</span>}
      </button>
    </th>
  );
}
