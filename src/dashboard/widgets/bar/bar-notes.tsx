import { useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { ignoredChoices, ignoredFilters, ignoredPeriod, useParams } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatDuration } from '../../format/numbers.ts';
import { pillClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/layout.tsx';
import styles from './bar.module.css';
import { type Meta, toMoneyNotes } from './money-notes.ts';

/** Says what the answers on the page report: how far counts lag, and money without a rate of its day. */
export function MetaLines() {
  const metas = useMetas();
  const seconds = Math.max(0, ...metas.map(({ behind_seconds = 0 }) => behind_seconds));
  const { hidden, hide } = useHiddenNotes();
  const isShared = useSite().shared !== undefined;
  const notes = toMoneyNotes(metas, isShared).filter((note) => !hidden.includes(note));
  if (seconds === 0 && notes.length === 0) return null;
  return (
    <div className={styles.notes}>
      {seconds > 0 && (
        <Notice>
          The newest events are not counted yet: they have waited for {formatDuration(seconds)}.
          They are safe, and this page will catch up automatically.
        </Notice>
      )}
      {notes.map((note) => (
        <Notice key={note} role="none">
          <p role="status">{note}</p>
          <button
            {...{ type: 'button', className: pillClass(), 'aria-label': 'Close this note' }}
            onClick={() => hide(note)}
          >
            ✕
          </button>
        </Notice>
      ))}
    </div>
  );
}

function useMetas(): readonly Meta[] {
  const { id } = useSite();
  const cache = useQueryClient().getQueryCache();
  // As text, because what is read must be the same while nothing changes.
  const text = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => {
      const active = cache.findAll({ type: 'active', queryKey: [id] });
      return JSON.stringify(active.map(({ state }) => metaOf(state.data)));
    },
  );
  return JSON.parse(text);
}

/** Of an answer, or of its first page. */
function metaOf(data: unknown): Meta {
  type Answer = { readonly meta?: Meta; readonly pages?: readonly Answer[] } | undefined;
  const { meta, pages } = (data ?? {}) as NonNullable<Answer>;
  const notes = meta ?? pages?.[0]?.meta ?? {};
  const { behind_seconds, unconverted, unconverted_costs, ...others } = notes;
  const { converting, late_rates, rates_until } = others;
  return { behind_seconds, unconverted, unconverted_costs, converting, late_rates, rates_until };
}

/** Says what the address asks for in vain: its figures are of more, or of other days, than was asked. */
export function IgnoredLine() {
  const [params] = useParams();
  const filters = ignoredFilters(params);
  const choices = ignoredChoices(params);
  return (
    <>
      <IgnoredPeriod />
      {filters.length > 0 && (
        <Notice className={styles.behind}>
          This address has {filters.length === 1 ? 'a filter' : 'filters'} that Tributary does not
          know. The figures are shown without <code>{filters.join(' ')}</code>
        </Notice>
      )}
      {choices.length > 0 && (
        <Notice className={styles.behind}>
          This address has {choices.length === 1 ? 'a choice' : 'choices'} that Tributary does not
          know. The usual one is made instead of <code>{choices.join(' ')}</code>
        </Notice>
      )}
    </>
  );
}

/** Says which period of the address is unknown. */
export function IgnoredPeriod() {
  const [params] = useParams();
  const period = ignoredPeriod(params);
  if (period.length === 0) return null;
  return (
    <Notice className={styles.behind}>
      This address has a period that Tributary does not know. The last 30 days are shown instead of{' '}
      <code>{period.join(' ')}</code>
    </Notice>
  );
}

const PLACE = 'tributary-hidden-notes';

/** The notes that were closed in this tab. One whose words have changed since shows again. */
function useHiddenNotes() {
  const [hidden, setHidden] = useState(read);
  const hide = (note: string) => {
    const next = [...hidden, note];
    setHidden(next);
    try {
      sessionStorage.setItem(PLACE, JSON.stringify(next));
    } catch {
      // Storage is blocked: it stays closed on this page.
    }
  };
  return { hidden, hide };
}

function read(): readonly string[] {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? '[]') as string[];
  } catch {
    return [];
  }
}
