import { type ReactNode, useState } from 'react';
import type { View } from '../../address/address.ts';
import { storePath } from '../../format/paths.ts';
import { Popover } from '../../ui/menu/popover.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import styles from './step-picker.module.css';
import { type FunnelStep, nameStep, PAYMENT_LABELS, type PaymentKind, writeStep } from './steps.ts';
import { useValues } from './suggestions.ts';

const SUGGESTIONS = 6;

type PickerProps = {
  readonly view: View;
  readonly label: ReactNode;
  readonly name?: string;
  readonly className?: string;
  readonly onPick: (step: FunnelStep) => void;
};

/** A button that lists possible steps: the site's pages, goals and payments. */
export function StepPicker({ view, onPick, ...button }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover {...button} isOpen={isOpen} onOpenChange={setOpen}>
      <Choices
        view={view}
        onPick={(step) => {
          setOpen(false);
          onPick(step);
        }}
      />
    </Popover>
  );
}

function Choices({ view, onPick }: Pick<PickerProps, 'view' | 'onPick'>) {
  const [text, setText] = useState('');
  const typed = text.trim();
  const settled = useSettled(typed);
  const pages = useValues(view, 'event:page', settled, SUGGESTIONS);
  const goals = useValues(view, 'event:goal', settled, SUGGESTIONS);
  // What is loaded comes last, pages after goals: it must not move other choices from under the pointer.
  const areGoalsDone = goals.values !== undefined || goals.error !== null;
  const groups = [
    { name: 'Exactly what you typed', steps: toTyped(typed) },
    { name: 'Payments', steps: toPayments(typed) },
    { name: 'Goals', steps: goals.values?.map((name) => ({ type: 'goal', name }) as const) },
    {
      name: 'Pages',
      steps: areGoalsDone
        ? pages.values?.map((path) => ({ type: 'page', path }) as const)
        : undefined,
    },
  ] as const;
  const error = pages.error ?? goals.error;
  return (
    <div className={styles.choices}>
      <input
        type="search"
        className={styles.search}
        aria-label="Find a page or goal"
        placeholder="Find a page or goal"
        value={text}
        onChange={(change) => setText(change.target.value)}
      />
      {groups.map(({ name, steps }) => (
        <Group key={name} {...{ name, onPick }} steps={steps} />
      ))}
      {error !== null && <p role="alert">{error.message}</p>}
      <p className={styles.hint}>
        Type a path such as <code>/docs/**</code> for many pages at once: <code>*</code> is anything
        but a slash, <code>**</code> anything.
      </p>
    </div>
  );
}

type GroupProps = Pick<PickerProps, 'onPick'> & {
  readonly name: string;
  readonly steps: readonly FunnelStep[] | undefined;
};

function Group({ name, steps, onPick }: GroupProps) {
  if (steps?.length === 0) return null;
  return (
    <div>
      <h3 className={styles.heading}>{name}</h3>
      <ul>
        {steps === undefined && <li className={styles.waiting}>Loading …</li>}
        {steps?.map((step) => (
          <li key={writeStep(step)}>
            <button type="button" className={styles.choice} onClick={() => onPick(step)}>
              {nameStep(step)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A path or a name with `*` is a step even without a match. */
function toTyped(text: string): readonly FunnelStep[] {
  if (text.startsWith('/')) return [{ type: 'page', path: storePath(text) }];
  return text.includes('*') ? [{ type: 'goal', name: text }] : [];
}

function toPayments(text: string): readonly FunnelStep[] {
  return (Object.entries(PAYMENT_LABELS) as [PaymentKind, string][])
    .filter(([, label]) => label.toLowerCase().includes(text.toLowerCase()))
    .map(([kind]) => ({ type: 'payment', kind }));
}
