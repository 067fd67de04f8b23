import { useState } from 'react';
import { Link } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { Button } from '../../ui/button.tsx';
import { findStorage } from '../../ui/device.ts';
import { Form, type FormValues } from '../../ui/form.tsx';
import { DividedList, Inline, Soft, Stack, wordsClass } from '../../ui/layout.tsx';
import { Popover } from '../../ui/menu/menu.tsx';

const PLACE = 'tributary-sets';
const BLOCKED = 'This browser lets Tributary store nothing, so the set cannot be saved.';

/** Sites under a name. */
type SavedSet = { readonly name: string; readonly domains: readonly string[] };

/** Sets of sites that this browser keeps, and a way to save the page's own. */
export function SavedSets({ domains }: { readonly domains: readonly string[] }) {
  const [view] = useView();
  const [sets, setSets] = useState(readSets);
  const keep = (changed: readonly SavedSet[]) => {
    const storage = findStorage();
    if (storage === undefined) throw new Error(BLOCKED);
    storage.setItem(PLACE, JSON.stringify(changed));
    setSets(changed);
  };
  const save = async ({ name = '' }: FormValues) =>
    keep([...sets.filter((each) => each.name !== name), { name, domains }]);
  return (
    <Popover label="Saved sets" align="end">
      <Stack style={{ width: 280 }}>
        {sets.length === 0 && <Soft>This browser keeps sets of sites that you often look at.</Soft>}
        <DividedList>
          {sets.map((set) => (
            <li key={set.name}>
              <Inline isSpread>
                <Link
                  to={`/sites${keptSearch(view, { sites: set.domains.join() })}`}
                  className={wordsClass('link', 'broken')}
                  title={set.domains.join(', ')}
                >
                  {set.name}
                </Link>
                <Button
                  size="small"
                  aria-label={`Remove ${set.name}`}
                  onClick={() => keep(sets.filter((each) => each !== set))}
                >
                  Remove
                </Button>
              </Inline>
            </li>
          ))}
        </DividedList>
        <Form
          {...{ action: 'Save these sites', onSubmit: save, clears: true }}
          fields={[{ label: 'Name', name: 'name', required: true, maxLength: 60 }]}
        />
      </Stack>
    </Popover>
  );
}

/** None where nothing was saved, or storage is blocked. */
function readSets(): readonly SavedSet[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSet) : [];
  } catch {
    return [];
  }
}

function isSet(kept: Partial<SavedSet> | null): kept is SavedSet {
  return typeof kept?.name === 'string' && Array.isArray(kept.domains);
}
