import { type ComponentProps, useState } from 'react';
import { storePath } from '#domain/visit/paths.ts';
import { pillClass } from '../../ui/button.tsx';
import { Stack, Words, wordsClass } from '../../ui/layout.tsx';
import { ChoiceMenu, Popover } from '../../ui/menu/menu.tsx';
import { useSettled } from '../../ui/search-field.tsx';
import {
  type FunnelStep,
  nameStep,
  PAYMENT_LABELS,
  type PaymentKind,
  useValues,
  writeStep,
} from './steps.ts';

const SUGGESTIONS = 6;
const FIND = 'Find a page or goal';

type PickerProps = Omit<ComponentProps<typeof Popover>, 'children'> & {
  readonly onPick: (step: FunnelStep) => void;
};

/** A button that lists possible steps: the site's pages, goals and payments. */
export function StepPicker({ onPick, ...button }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover {...button} isOpen={isOpen} onOpenChange={setOpen}>
      <Choices
        onPick={(step) => {
          setOpen(false);
          onPick(step);
        }}
      />
    </Popover>
  );
}

function Choices({ onPick }: Pick<PickerProps, 'onPick'>) {
  const [text, setText] = useState('');
  const typed = text.trim();
  const settled = useSettled(typed);
  const pages = useValues('event:page', settled, SUGGESTIONS);
  const goals = useValues('event:goal', settled, SUGGESTIONS);
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
    <Stack gap={8} style={{ width: 'min(300px, calc(100vw - 64px))' }}>
      <input
        {...{ type: 'search', 'aria-label': FIND, placeholder: FIND, value: text }}
        onChange={(change) => setText(change.target.value)}
      />
      {groups.map(({ name, steps }) => (
        <Group key={name} {...{ name, onPick }} steps={steps} />
      ))}
      {error !== null && <p role="alert">{error.message}</p>}
      <Words as="p" look={['soft', 'small']}>
        Type a path such as <code>/docs/**</code> for many pages at once: <code>*</code> is anything
        but a slash, <code>**</code> anything.
      </Words>
    </Stack>
  );
}

const CHOICE = {
  width: 'calc(100% + 16px)',
  maxWidth: 'none',
  margin: '0 -8px',
  padding: '4px 8px',
};

type GroupProps = Pick<PickerProps, 'onPick'> & {
  readonly name: string;
  readonly steps: readonly FunnelStep[] | undefined;
};

function Group({ name, steps, onPick }: GroupProps) {
  if (steps?.length === 0) return null;
  return (
    <div>
      <Words as="h3" look={['soft', 'tiny']}>
        {name}
      </Words>
      <ul>
        {steps === undefined && <li className={wordsClass('soft')}>Loading …</li>}
        {steps?.map((step) => (
          <li key={writeStep(step)}>
            <button
              {...{ type: 'button', className: pillClass(wordsClass('cut', 'ink')), style: CHOICE }}
              onClick={() => onPick(step)}
            >
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

const WINDOWS = [
  { value: 'visit', label: 'Within one visit' },
  { value: '1h', label: 'Within an hour' },
  { value: '1d', label: 'Within a day' },
  { value: '7d', label: 'Within 7 days' },
  { value: '14d', label: 'Within 14 days' },
  { value: '30d', label: 'Within 30 days' },
  { value: '90d', label: 'Within 90 days' },
];

type Props = { readonly within: string; readonly onChoose: (within: string) => void };

/** Chooses how far apart steps may be. */
export function WindowMenu({ within, onChoose }: Props) {
  const own = { value: within, label: `Within ${within}` };
  const choices = WINDOWS.some(({ value }) => value === within) ? WINDOWS : [...WINDOWS, own];
  return <ChoiceMenu name="How far apart" {...{ value: within, choices, onChoose }} />;
}
