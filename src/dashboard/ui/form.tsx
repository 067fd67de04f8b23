import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  use,
  useEffect,
  useId,
  useState,
} from 'react';
import { Button, buttonClass } from './button.tsx';
import { classes } from './classes.ts';
import { type FaultAt, faultsOf, toSentence } from './faults.ts';
import styles from './form.module.css';

/** What was typed and chosen, by the names of fields. */
export type FormValues = Readonly<Record<string, string>>;

/** What fields know of the form around them. */
type Around = {
  readonly isSending: boolean;
  readonly faults: readonly FaultAt[];
  /** The paths whose faults are shown at their fields. */
  readonly shown: Set<string>;
};

const AroundContext = createContext<Around>({ isSending: false, faults: [], shown: new Set() });

type FormProps = {
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  /** Handles the values. Errors it throws are shown, and the text it returns, such as `Saved.` */
  readonly onSubmit: (values: FormValues) => Promise<unknown>;
  readonly fields?: readonly FieldProps[];
  /** What follows the fields. */
  readonly children?: ReactNode;
  readonly beside?: ReactNode;
  /** Whether success empties the fields, for the next entry. */
  readonly clears?: boolean;
};

/** Fields with one button. Field errors appear at their fields, other errors above the button. */
export function Form(props: FormProps) {
  const { action, look = 'primary', onSubmit, fields, children, beside, clears = false } = props;
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error>();
  const [done, setDone] = useState<unknown>();
  const [shown] = useState(() => new Set<string>());
  const faults = faultsOf(error);
  const isShown = faults.length > 0 && faults.every(({ path }) => shown.has(path));
  const submit = async (sent: FormEvent<HTMLFormElement>) => {
    sent.preventDefault();
    const form = sent.currentTarget;
    setSending(true);
    setError(undefined);
    setDone(undefined);
    await onSubmit(Object.fromEntries(new FormData(form)) as FormValues).then((text) => {
      setDone(text);
      if (clears) form.reset();
    }, setError);
    setSending(false);
  };
  return (
    <form className={styles.form} onSubmit={(sent) => void submit(sent)}>
      <AroundContext value={{ isSending, faults, shown }}>
        {fields?.map((field) => (
          <Field key={field.name} {...field} />
        ))}
        {children}
      </AroundContext>
      {error && !isShown && (
        <p className={styles.error} role="alert">
          {error.message}
        </p>
      )}
      <div className={styles.foot}>
        <Button type="submit" look={look} disabled={isSending}>
          {action}
        </Button>
        {beside}
        <span className={styles.done} role="status">
          {typeof done === 'string' && done}
        </span>
      </div>
    </form>
  );
}

/** A value that a field offers, and its label if that is another. */
export type Option = { readonly value: string; readonly label?: string };

/** A field of a form. */
export type FieldProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What faults call it, if not by its name: `settings/retention`. */
  readonly path?: string;
  /** The values to choose from; children if they are in groups. */
  readonly options?: readonly Option[];
  readonly onChange?: (change: { readonly target: { readonly value: string } }) => void;
};

/** A labelled input, or a select of what it offers, with a hint and any validation error below it. */
export function Field({ label, hint, path, options, children, ...input }: FieldProps) {
  const id = useId();
  const fault = useFault(path ?? input.name);
  // While its form is sent, nothing can be typed that a form made empty for the next entry would lose.
  const { isSending: readOnly } = use(AroundContext);
  const more = { id, className: styles.input, 'aria-describedby': `${id}-note` };
  if (input.type === 'checkbox') return <CheckField {...input}>{label}</CheckField>;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {options || children ? (
        <select {...(input as ComponentProps<'select'>)} {...more}>
          {options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label ?? option.value}
            </option>
          ))}
          {children}
        </select>
      ) : (
        <input readOnly={readOnly} {...input} {...more} aria-invalid={fault !== undefined} />
      )}
      <p
        id={`${id}-note`}
        className={classes(styles.hint, fault !== undefined && styles.fault)}
        role={fault === undefined ? undefined : 'alert'}
        hidden={fault === undefined && hint === undefined}
      >
        {fault === undefined ? hint : toSentence(fault, label)}
      </p>
    </div>
  );
}

/** What is wrong with a field of the form around, by its path; undefined if nothing is. */
function useFault(path: string | undefined): string | undefined {
  const { faults, shown } = use(AroundContext);
  const own = `/${path}`;
  useEffect(() => {
    shown.add(own);
    return () => void shown.delete(own);
  }, [shown, own]);
  return faults.find((each) => each.path === own)?.message;
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

type FormFaultProps = {
  readonly of: string;
  /** What to say of it. */
  readonly children: (fault: string) => ReactNode;
};

/** What is wrong with a value that has no field of its own. */
export function FormFault({ of, children }: FormFaultProps) {
  const fault = useFault(of);
  return fault === undefined ? null : <p role="alert">{children(fault)}</p>;
}
