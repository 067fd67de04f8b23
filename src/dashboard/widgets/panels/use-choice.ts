import { useSite } from '../../account.ts';
import { useParams } from '../../address.ts';
import { type Choice, measureBy, parseChoice, writeChoice } from './choice.ts';
import type { PanelPlan } from './tabs.ts';

/** How a panel is set, and how to set it; it is in the address. */
export function useChoice(panel: PanelPlan): readonly [Choice, (choice: Choice) => void] {
  const [params, setParams] = useParams();
  const { shared } = useSite();
  const choose = (choice: Choice) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.delete('tab');
        for (const text of writeChoice(panel, choice, now.getAll('tab'))) {
          changed.append('tab', text);
        }
        return changed;
      },
      { replace: true },
    );
  const choice = parseChoice(panel, params.getAll('tab'));
  const isHidden = choice.measure === 'revenue' && shared?.revenue === false;
  return [isHidden ? measureBy(choice, 'visitors') : choice, choose];
}

/** The property of events that the panel of properties shows, and how to choose one. */
export function useProperty(): readonly [string, (name: string) => void] {
  const [params, setParams] = useParams();
  const choose = (name: string) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.delete('property');
        if (name !== '') changed.set('property', name);
        return changed;
      },
      { replace: true },
    );
  const name = params.get('property') ?? '';
  return [/^[a-z0-9_-]{1,64}$/.test(name) ? name : '', choose];
}
