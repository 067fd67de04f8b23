import { type ComponentProps, useId } from 'react';
import { buttonClass } from './button.tsx';
import { classes } from './classes.ts';
import { toSentence } from './faults.ts';
import styles from './field.module.css';
import { useFault, useIsSending } from './form.tsx';

type Common = {
  readonly label: string;
  readonly hint?: string;
  /** What faults call it, if not by its name: `settings/retention`. */
  readonly path?: string;
};

/**
 * A labelled input with a hint and any validation error below it. While its form is sent, nothing can be typed that a
 * form made empty for the next entry would lose.
 */
export function Field({ label, hint, path, ...input }: Common & ComponentProps<'input'>) {
  const id = useId();
  const fault = useFault(path ?? input.name);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        readOnly={useIsSending()}
        {...input}
        id={id}
        className={styles.input}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-note`}
      />
      <FieldNote {...{ id, label, hint, fault }} />
    </div>
  );
}

/** A value that a field offers, and its label if that is another. */
export type Option = { readonly value: string; readonly label?: string };

type ChoiceProps = Common & ComponentProps<'select'> & { readonly options?: readonly Option[] };

/** A labelled select with a few options. */
export function ChoiceField({ label, hint, path, options, children, ...select }: ChoiceProps) {
  const id = useId();
  const fault = useFault(path ?? select.name);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select {...select} id={id} className={styles.input} aria-describedby={`${id}-note`}>
        {options?.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label ?? option.value}
          </option>
        ))}
        {children}
      </select>
      <FieldNote {...{ id, label, hint, fault }} />
    </div>
  );
}

/** A checkbox and its label. */
export function CheckField({ children, ...input }: ComponentProps<'input'>) {
  return (
    <label className={styles.check}>
      <input {...input} type="checkbox" />
      {children}
    </label>
  );
}

type FileProps = {
  readonly label: string;
  /** The file types that browsers offer. */
  readonly accept: string;
  readonly onChoose: (file: File) => void;
};

/** A button that chooses a file: the browser's own control is hidden inside it. */
export function FileField({ label, accept, onChoose }: FileProps) {
  return (
    <label className={buttonClass(undefined, undefined, styles.file)}>
      {label}
      <input
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = ''; // The same file can be chosen again when it is mended.
          if (file !== undefined) onChoose(file);
        }}
      />
    </label>
  );
}

type ChecksProps = {
  readonly legend: string;
  readonly options: readonly { readonly name: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly isWrapped?: boolean;
};

/** Checkboxes under a legend, below each other or in columns. */
export function Checks({ legend, options, chosen, isWrapped = false }: ChecksProps) {
  return (
    <fieldset className={classes(styles.checks, isWrapped && styles.wrapped)}>
      <legend className={styles.label}>{legend}</legend>
      {options.map(({ name, label }) => (
        <CheckField key={name} name={name} defaultChecked={chosen.includes(name)}>
          {label}
        </CheckField>
      ))}
    </fieldset>
  );
}

type NoteProps = Pick<Common, 'label'> & {
  readonly id: string;
  readonly hint: string | undefined;
  readonly fault: string | undefined;
};

function FieldNote({ id, label, hint, fault }: NoteProps) {
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
