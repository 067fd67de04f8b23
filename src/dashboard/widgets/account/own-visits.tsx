import { CopiedText } from '../../ui/copied-text.tsx';
import { Section, Soft } from '../../ui/layout.tsx';
import { OWN_VISITS_BOOKMARK } from './own-visits-bookmark.ts';

/** How to leave one's own visits out, on every site: by a bookmark. */
export function OwnVisits() {
  return (
    <Section title="Your own visits">
      <Soft>
        Save this as the address of a bookmark. Clicked on a page of a site, it excludes this
        browser there, or counts it again, and says which.
      </Soft>
      <CopiedText text={OWN_VISITS_BOOKMARK} name="Bookmark" />
    </Section>
  );
}
