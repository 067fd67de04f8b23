import { EmptyNote } from '../ui/note.tsx';

/** Where the first link leads: a login for the owner. */
export function StartPage() {
  return <EmptyNote>Start</EmptyNote>;
}
