import { type ComponentProps, use, useId } from 'react';
import { toSentence } from './faults.ts';
import styles from './field.module.css';
import { SendingContext } from './form.tsx';

type Common = {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | undefined;
};

/**
 * A labelled input with a hint and any validation error below it. While its form is sent, nothing can be typed that a
 * form made empty for the next entry would lose.
 */
export function Field({ label, hint, fault, ...input }: Common & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        readOnly={use(SendingContext)}
        {...input}
        id={id}
        className={styles.input}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-note`}
      />
      <FieldNote id={id} label={label} hint={hint} fault={fault} />
    </div>
  );
}

/** A labelled select with a few options. */
export function ChoiceField({ label, hint, fault, ...select }: Common & ComponentProps<'select'>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select {...select} id={id} className={styles.input} aria-describedby={`${id}-note`} />
      <FieldNote id={id} label={label} hint={hint} fault={fault} />
    </div>
  );
}

function FieldNote(props: {
  readonly id: string;
  label: string;
  hint: string | undefined;
  fault: string | undefined;
}) {
  const { id, label, hint, fault } = props;
  if (fault !== undefined) {
    return (
      <p id={`${id}-note`} className={styles.fault} role="alert">
        {toSentence(fault, label)}
      </p>
    );
  }
  return (
    <p id={`${id}-note`} className={styles.hint} hidden={hint === undefined}>
      {hint}
    </p>
  );
}
