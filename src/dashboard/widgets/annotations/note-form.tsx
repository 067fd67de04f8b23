import type { Ref } from 'react';
import { useSite } from '../../api/account.ts';
import { toInstant } from '../../format/instants.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from './notes.module.css';

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
export function NoteForm({ action, at, text = '', onSave, onCancel, field }: NoteFormProps) {
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
      {(faultOf) => (
        <>
          <Field
            {...{ label: 'What happened', name: 'text', fault: faultOf('text') }}
            {...{ defaultValue: text, maxLength: 200, required: true, autoComplete: 'off' }}
            placeholder="New prices"
            {...(field && { ref: field })}
          />
          <div className={styles.days}>
            <Field
              {...{ label: 'Day', name: 'day', type: 'date', fault: faultOf('at') }}
              {...{ defaultValue: knownDay, required: true }}
            />
            <Field
              {...{ label: 'Time (optional)', name: 'time', type: 'time' }}
              defaultValue={knownTime}
            />
          </div>
        </>
      )}
    </Form>
  );
}
