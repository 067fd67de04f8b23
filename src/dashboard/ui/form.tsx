import { createContext, type FormEvent, type ReactNode, use, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { type FaultAt, faultsOf } from './faults.ts';
import styles from './form.module.css';

/** What fields know of the form around them. */
type Around = {
  readonly isSending: boolean;
  readonly faults: readonly FaultAt[];
  /** The paths whose faults are shown at their fields. */
  readonly shown: Set<string>;
};

const AroundContext = createContext<Around>({ isSending: false, faults: [], shown: new Set() });

/** Whether the form around a field is being sent. */
export function useIsSending(): boolean {
  return use(AroundContext).isSending;
}

/** What is wrong with a field of the form around, by its path; undefined if nothing is. */
export function useFault(path: string | undefined): string | undefined {
  const { faults, shown } = use(AroundContext);
  const own = `/${path}`;
  useEffect(() => {
    shown.add(own);
    return () => void shown.delete(own);
  }, [shown, own]);
  return faults.find((each) => each.path === own)?.message;
}

type FormProps = {
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  /** Handles the values. Errors it throws are shown, and the text it returns, such as `Saved.` */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly children?: ReactNode;
  readonly beside?: ReactNode;
  /** Whether success empties the fields, for the next entry. */
  readonly clears?: boolean;
};

/** Fields with one button. Field errors appear at their fields, other errors above the button. */
export function Form(props: FormProps) {
  const { action, look = 'primary', onSubmit, children, beside, clears = false } = props;
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error>();
  const [done, setDone] = useState<unknown>();
  const [shown] = useState(() => new Set<string>());
  const faults = faultsOf(error);
  const isShown = faults.length > 0 && faults.every(({ path }) => shown.has(path));
  const submit = async (sent: FormEvent<HTMLFormElement>) => {
    sent.preventDefault();
    const form = sent.currentTarget;
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>;
    setSending(true);
    setError(undefined);
    setDone(undefined);
    await onSubmit(values).then((text) => {
      setDone(text);
      if (clears) form.reset();
    }, setError);
    setSending(false);
  };
  return (
    <form className={styles.form} onSubmit={(sent) => void submit(sent)}>
      <AroundContext value={{ isSending, faults, shown }}>{children}</AroundContext>
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
