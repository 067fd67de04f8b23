import { useParams } from '../../address/address.ts';
import { withTexts } from '../../address/with-texts.ts';
import { useSite } from '../../api/account.ts';
import { measureBy, type PanelChoice, parseChoice, writeChoice } from './choice.ts';
import type { PanelPlan } from './tabs.ts';

/** A panel's state in the URL, and how to set it. */
export function useChoice(panel: PanelPlan): readonly [PanelChoice, (choice: PanelChoice) => void] {
  const [params, setParams] = useParams();
  const { has_payments } = useSite();
  const choose = (choice: PanelChoice) =>
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
  const isHidden = choice.measure === 'revenue' && !has_payments;
  const instead = choice.tab.dimension === 'event:goal' ? 'conversions' : 'visitors';
  return [isHidden ? measureBy(choice, instead) : choice, choose];
}

/** The event property shown by the properties panel, and how to choose one. */
export function useProperty(): readonly [string, (name: string) => void] {
  const [params, setParams] = useParams();
  const choose = (name: string) =>
    setParams((now) => withTexts(now, { property: name }), { replace: true });
  const name = params.get('property') ?? '';
  return [/^[a-z0-9_-]{1,64}$/.test(name) ? name : '', choose];
}
