import './shell.css';
import { Logo } from './mark.tsx';

/** The page while its content loads; `index.html` has the same, to be seen before the script runs. */
export function Shell() {
  return (
    <div className="shell" aria-busy="true">
      <Logo />
    </div>
  );
}
