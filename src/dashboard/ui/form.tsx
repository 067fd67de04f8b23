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
import { type FaultAt, faultsOf, toSentence } from './faults.ts';
import styles from './form.module.css';
import { Columns, Inline, Stack, Words, wordsClass } from './layout.tsx';

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
    if (isSending) return;
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
    <form onSubmit={(sent) => void submit(sent)}>
      <Stack>
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
        <Inline gap={12} isSpread>
          <Button type="submit" look={look} aria-disabled={isSending}>
            {action}
          </Button>
          {beside}
          <Words look="good" role="status" hidden={typeof done !== 'string'}>
            {typeof done === 'string' && done}
          </Words>
        </Inline>
      </Stack>
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
    <Stack gap={4}>
      <label className={wordsClass('small', 'bold')} htmlFor={id}>
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
      <Words
        {...{ as: 'p', id: `${id}-note`, look: ['small', fault === undefined ? 'soft' : 'bad'] }}
        role={fault === undefined ? undefined : 'alert'}
        hidden={fault === undefined && hint === undefined}
      >
        {fault === undefined ? hint : toSentence(fault, label)}
      </Words>
    </Stack>
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
    <Inline as="label" style={{ flexWrap: 'nowrap' }}>
      <input {...input} type="checkbox" />
      {children}
    </Inline>
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
    <Columns as="fieldset" gap={8} least={isWrapped ? 140 : 560}>
      <Words as="legend" look={['small', 'bold']} style={{ paddingBottom: 8 }}>
        {legend}
      </Words>
      {options.map(({ name, label }) => (
        <CheckField key={name} name={name} defaultChecked={chosen.includes(name)}>
          {label}
        </CheckField>
      ))}
    </Columns>
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
