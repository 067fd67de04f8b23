import { useRef, useState } from 'react';
import type { View } from '../../address/address.ts';
import { daysOf } from '../../address/period-days.ts';
import { useSite } from '../../api/account.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { formatBucket, todayIn } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Annotation } from '../chart/geometry/annotations.ts';
import { NoteForm } from './note-form.tsx';
import styles from './notes.module.css';

type NotesDialogProps = {
  readonly view: View;
  readonly mayChange: boolean;
  /** The notes that were opened. */
  readonly shown: readonly Annotation[];
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
        <ul className={styles.list}>
          {shown.map((note) => (
            <Note key={note.id} {...{ note, mayChange }} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

type NoteProps = {
  readonly note: Annotation;
  readonly mayChange: boolean;
};

function Note({ note, mayChange }: NoteProps) {
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
      <p className={styles.when}>{formatBucket(at, at.includes(':') ? 'hour' : 'day')}</p>
      <p className={styles.text}>{text}</p>
      {error && <p role="alert">{error.message}</p>}
      {mayChange && (
        <div className={styles.actions}>
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
        </div>
      )}
    </li>
  );
}
