import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { StoryAnswer } from '#contract/story.ts';
import type { SeparatedAnswer, VisitorAnswer } from '#contract/visitor.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';

const LOOK_AGAIN_MS = 500;
const LOOKS_MAX = 20;

/** A person's visitors, and what joins each one to the others. */
export function useJoins([first = '']: readonly string[]) {
  const { id: site } = useSite();
  return useQuery({
    queryKey: [site, 'joins', first],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/visitors/${encodeURIComponent(first)}?scope=person`;
      const { person } = await request<VisitorAnswer>(path, { site, signal });
      return person.visitors;
    },
    staleTime: 0,
  });
}

/** Undoes a visitor's joins, and waits until the visitor's story shows it. */
export function useSeparation() {
  const { id: site } = useSite();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (visitor: string) => {
      const id = encodeURIComponent(visitor);
      const path = `/api/v1/visitors/${id}/joins`;
      const answer = await request<SeparatedAnswer>(path, { site, method: 'DELETE' });
      for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
        if (await isAlone(site, visitor)) break;
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      }
      return answer;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [site] }),
  });
}

/** Until queries know of it, the visitor's story is that of the person they were taken out of. */
async function isAlone(site: string, visitor: string): Promise<boolean> {
  const path = `/api/v1/persons/${encodeURIComponent(visitor)}?date_range=all&limit=1`;
  const story = await request<StoryAnswer>(path, { site }).catch(() => undefined); // It is done anyway.
  if (story === undefined) return false;
  const { visitors } = story.person;
  return (
    visitors.length === 1 &&
    visitors[0] === visitor &&
    story.payments.every((paid) => paid.service_visitor_id !== undefined)
  );
}
