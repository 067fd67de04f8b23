import { type Ref, useRef, useState } from 'react';
import type { View } from '../../address/address.ts';
import { daysOf } from '../../address/period-days.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { formatBucket, todayIn } from '../../format/dates.ts';
import { toInstant } from '../../format/instants.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Columns, Inline, Stack, Words } from '../../ui/layout.tsx';
import type { Note } from '../chart/geometry/annotations.ts';

type NotesDialogProps = {
  readonly view: View;
  readonly mayChange: boolean;
  /** The notes that were opened. */
  readonly shown: readonly Note[];
  readonly isNew: boolean;
  readonly onClose: () => void;
};

/** The notes at one point of the chart, to read and edit; or a form for a new one. */
export function NotesDialog({ view, mayChange, shown, isNew, onClose }: NotesDialogProps) {
  const { timezone } = useSite();
  const { mutateAsync } = useChangeOfSite();
  const field = useRef<HTMLInputElement>(null);
  const today = todayIn(timezone);
  const last = daysOf(view, today)?.[1] ?? today;
  return (
    <Dialog
      title={isNew ? 'New note' : 'Notes'}
      isOpen
      onClose={onClose}
      {...(isNew && { focusOn: field })}
    >
      {isNew ? (
        <NoteForm
          action="Add note"
          field={field}
          at={last < today ? last : today}
          onSave={async (body) => {
            await mutateAsync({ method: 'POST', path: '/annotations', body });
            onClose();
          }}
        />
      ) : (
        <Stack as="ul" gap={24}>
          {shown.map((note) => (
            <NoteRow key={note.id} {...{ note, mayChange }} />
          ))}
        </Stack>
      )}
    </Dialog>
  );
}

type NoteProps = {
  readonly note: Note;
  readonly mayChange: boolean;
};

function NoteRow({ note, mayChange }: NoteProps) {
  const { id, at, text } = note;
  const [isChanging, setChanging] = useState(false);
  const { mutateAsync, mutate, error, isPending } = useChangeOfSite();
  const path = `/annotations/${id}`;
  if (isChanging) {
    return (
      <li>
        <NoteForm
          action="Save note"
          {...{ at, text }}
          onSave={async (body) => {
            await mutateAsync({ method: 'PATCH', path, body });
            setChanging(false);
          }}
          onCancel={() => setChanging(false)}
        />
      </li>
    );
  }
  return (
    <li>
      <Words as="p" look={['soft', 'small']}>
        {formatBucket(at, at.includes(':') ? 'hour' : 'day')}
      </Words>
      <Words as="p" look="broken">
        {text}
      </Words>
      {error && <p role="alert">{error.message}</p>}
      {mayChange && (
        <Inline style={{ marginTop: 8 }}>
          <Button size="small" onClick={() => setChanging(true)}>
            Change
          </Button>
          <Button
            size="small"
            look="danger"
            disabled={isPending}
            onClick={() => mutate({ method: 'DELETE', path })}
          >
            Delete
          </Button>
        </Inline>
      )}
    </li>
  );
}

type NoteFormProps = {
  readonly action: string;
  /** A day or a time on the site's wall clock. */
  readonly at: string;
  readonly text?: string;
  readonly onSave: (body: { readonly at?: string; readonly text: string }) => Promise<void>;
  readonly onCancel?: () => void;
  readonly field?: Ref<HTMLInputElement>;
};

/** What happened, and when; without a time, it covers the day. */
function NoteForm({ action, at, text = '', onSave, onCancel, field }: NoteFormProps) {
  const { timezone } = useSite();
  const [knownDay = '', knownTime = ''] = [at.slice(0, 10), at.slice(11, 16)];
  const save = async (values: Readonly<Record<string, string>>) => {
    const { day = '', time = '', text: written = '' } = values;
    const isMoved = onCancel === undefined || day !== knownDay || time !== knownTime;
    const moment = time === '' ? day : toInstant(day, time, timezone);
    await onSave({ text: written, ...(isMoved && { at: moment }) });
  };
  return (
    <Form
      action={action}
      onSubmit={save}
      beside={onCancel && <Button onClick={onCancel}>Cancel</Button>}
    >
      <Field
        {...{ label: 'What happened', name: 'text' }}
        {...{ defaultValue: text, maxLength: 200, required: true, autoComplete: 'off' }}
        placeholder="New prices"
        {...(field && { ref: field })}
      />
      <Columns least={180}>
        <Field
          {...{ label: 'Day', name: 'day', type: 'date' }}
          path="at"
          {...{ defaultValue: knownDay, required: true }}
        />
        <Field
          {...{ label: 'Time (optional)', name: 'time', type: 'time' }}
          defaultValue={knownTime}
        />
      </Columns>
    </Form>
  );
}
