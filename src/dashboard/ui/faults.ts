/** What is wrong with one field of a form, by its path: `/email`. */
export type FaultAt = { readonly path: string; readonly message: string };

/** The faults of single fields that an error names, if it names any. */
export function faultsOf(error: Error | undefined): readonly FaultAt[] {
  return error !== undefined && 'details' in error ? (error.details as readonly FaultAt[]) : [];
}

/** A fault as a sentence: many are predicates, which need a subject (`is required`). */
export function toSentence(fault: string, subject: string): string {
  const text = subject !== '' && /^[a-z]/.test(fault) ? `${subject} ${fault}` : fault;
  return /[.…]$/.test(text) ? text : `${text}.`;
}
