import { Link, Redirect, useParams } from 'wouter';
import { readable } from '../address/address.ts';
import { useSite } from '../api/account.ts';
import { EmptyNote, Unloaded } from '../ui/note.tsx';
import { toFunnel, writeFunnel } from '../widgets/funnel/steps.ts';
import { useSavedFunnels } from '../widgets/funnel/use-saved-funnels.ts';

/** A saved funnel's permalink: redirects to its current steps. */
export function SavedFunnelPage() {
  const { id } = useParams();
  const { domain } = useSite();
  const { data, error, refetch } = useSavedFunnels();
  if (data === undefined) return <Unloaded {...{ error, refetch }} height={320} />;
  const saved = data.funnels.find((each) => each.id === id);
  if (saved === undefined) {
    return (
      <EmptyNote>
        This funnel was deleted. <Link to={`/${domain}/funnels`}>All funnels</Link>
      </EmptyNote>
    );
  }
  const funnel = toFunnel(saved);
  if (funnel === undefined) {
    return (
      <EmptyNote>
        {saved.name} was saved through the API, and has steps that this page cannot show.
      </EmptyNote>
    );
  }
  const search = readable(writeFunnel(funnel, new URLSearchParams(location.search)));
  return <Redirect to={`/${domain}/funnels?${search}`} replace />;
}
