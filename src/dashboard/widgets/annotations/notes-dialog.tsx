import { type Ref, useRef } from 'react';
import { useView } from '../../address/address.ts';
import { daysOf } from '../../address/periods.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { formatBucket, todayIn, toInstant } from '../../format/dates.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Columns, Inline, Stack, Words } from '../../ui/layout.tsx';
import type { Note } from '../chart/geometry/layout.ts';
import { RemoveButton } from '../saved/saved.tsx';

type NotesDialogProps = {
  readonly mayChange: boolean;
  /** The notes that were opened. */
  readonly shown: readonly Note[];
  readonly isNew: boolean;
  readonly onClose: () => void;
};

/** The notes at one point of the chart, to read and edit; or a form for a new one. */
export function NotesDialog({ mayChange, shown, isNew, onClose }: NotesDialogProps) {
  const [view] = useView();
  const { timezone } = useSite();
  const { mutateAsync } = useChangeOfSite();
  const field = useRef<HTMLInputElement>(null);
  if (!isNew) {
    return (
      <Dialog title="Notes" isOpen onClose={onClose}>
        <Stack as="ul" gap={24}>
          {shown.map((note) => (
            <NoteRow key={note.id} {...{ note, mayChange }} />
          ))}
        </Stack>
      </Dialog>
    );
  }
  const today = todayIn(timezone);
  const last = daysOf(view, today)?.[1] ?? today;
  const add = async ({ text = '', ...when }: FormValues) => {
    const body = { text, at: toMoment(when, timezone) };
    await mutateAsync({ method: 'POST', path: '/annotations', body });
    onClose();
  };
  return (
    <Dialog title="New note" isOpen onClose={onClose} focusOn={field}>
      <Form action="Add note" onSubmit={add}>
        <NoteFields at={last < today ? last : today} field={field} />
      </Form>
    </Dialog>
  );
}

type NoteProps = { readonly note: Note; readonly mayChange: boolean };

function NoteRow({ note, mayChange }: NoteProps) {
  const { id, at, text } = note;
  const { timezone } = useSite();
  const { mutateAsync } = useChangeOfSite();
  const path = `/annotations/${id}`;
  const change = ({ text: written, day = '', time = '' }: FormValues) => {
    const isMoved = [day, time].join(' ').trim() !== at.slice(0, 16);
    const body = { text: written, ...(isMoved && { at: toMoment({ day, time }, timezone) }) };
    return mutateAsync({ method: 'PATCH', path, body });
  };
  return (
    <li>
      <Words as="p" look={['soft', 'small']}>
        {formatBucket(at, at.includes(':') ? 'hour' : 'day')}
      </Words>
      <Words as="p" look="broken">
        {text}
      </Words>
      {mayChange && (
        <Inline style={{ marginTop: 8 }}>
          <ConfirmButton
            {...{ label: 'Change', title: 'Change the note', action: 'Save note' }}
            {...{ size: 'small', look: 'primary', onConfirm: change }}
          >
            <NoteFields {...{ at, text }} />
          </ConfirmButton>
          <RemoveButton label="Delete" name="the note" path={path}>
            <p>{text}</p>
          </RemoveButton>
        </Inline>
      )}
    </li>
  );
}

type NoteFieldsProps = {
  /** A day or a time on the site's wall clock. */
  readonly at: string;
  readonly text?: string;
  readonly field?: Ref<HTMLInputElement>;
};

/** What happened, and when; without a time, it covers the day. */
function NoteFields({ at, text = '', field }: NoteFieldsProps) {
  return (
    <>
      <Field
        {...{ label: 'What happened', name: 'text', placeholder: 'New prices' }}
        {...{ defaultValue: text, maxLength: 200, required: true, autoComplete: 'off' }}
        {...(field && { ref: field })}
      />
      <Columns least={180}>
        <Field
          {...{ label: 'Day', name: 'day', type: 'date', path: 'at', required: true }}
          defaultValue={at.slice(0, 10)}
        />
        <Field
          {...{ label: 'Time (optional)', name: 'time', type: 'time' }}
          defaultValue={at.slice(11, 16)}
        />
      </Columns>
    </>
  );
}

function toMoment({ day = '', time = '' }: FormValues, timezone: string): string {
  return time === '' ? day : toInstant(day, time, timezone);
}
