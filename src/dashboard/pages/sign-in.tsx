import { EmptyNote } from '../ui/note.tsx';

/** Where people sign in. */
export function SignInPage() {
  return <EmptyNote>Sign in</EmptyNote>;
}
