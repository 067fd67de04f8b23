import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { StoryAnswer } from '#contract/story.ts';
import type { JoinedVisitor, SeparatedAnswer, VisitorAnswer } from '#contract/visitor.ts';
import { useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { DividedList, Inline, Stack, Words, wordsClass } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';

type Props = { readonly visitors: readonly string[]; readonly onClose: () => void };

/** Removes a visitor from a person, after explaining the effect. */
export function SeparationDialog({ visitors, onClose }: Props) {
  const [asked] = useState(visitors); // The page lists fewer once one is removed.
  const separated = useSeparation();
  const { data: done } = separated;
  return (
    <Dialog title="Undo a join" isOpen onClose={onClose}>
      {done === undefined ? (
        <Choice visitors={asked} onSeparate={separated.mutateAsync} />
      ) : (
        <Done visitor={done.service_visitor_id} others={asked} onClose={onClose} />
      )}
    </Dialog>
  );
}

type ChoiceProps = Pick<Props, 'visitors'> & {
  readonly onSeparate: (visitor: string) => Promise<unknown>;
};

function Choice({ visitors, onSeparate }: ChoiceProps) {
  return (
    <Stack>
      <p>
        A visitor you take out becomes a separate person and stays one, whatever is reported later.
        Its visits and payments go with it, and revenue is attributed again. Nothing is deleted.
      </p>
      <Loaded of={useJoins(visitors)} height={120}>
        {(joins) => (
          <DividedList>
            {joins.map((joined) => (
              <Visitor key={joined.service_visitor_id} {...{ joined, onSeparate }} />
            ))}
          </DividedList>
        )}
      </Loaded>
    </Stack>
  );
}

type VisitorProps = Pick<ChoiceProps, 'onSeparate'> & { readonly joined: JoinedVisitor };

function Visitor({ joined, onSeparate }: VisitorProps) {
  const { service_visitor_id: id, joined_by: by } = joined;
  const reasons = [...new Set(by.map(({ field, value }) => `${FIELDS[field]} ${value}`))];
  return (
    <Inline as="li" isSpread style={{ flexWrap: 'nowrap' }}>
      <Stack as="span" gap={0} className={wordsClass('broken')}>
        <code>{id}</code>
        <Words as="small" look={['soft', 'small']}>
          {reasons.length === 0 ? 'Not joined with others.' : `Joined by ${reasons.join(', ')}`}
        </Words>
      </Stack>
      {reasons.length > 0 && (
        <ConfirmButton
          {...{ label: 'Take out', title: `Take out ${id}?`, action: 'Take out', size: 'small' }}
          aria-label={`Take out ${id}`}
          onConfirm={() => onSeparate(id)}
        >
          <p>Reports follow within a few seconds.</p>
        </ConfirmButton>
      )}
    </Inline>
  );
}

const FIELDS = { user_id: 'user', customer_id: 'customer', email: 'e-mail' } as const;

type DoneProps = Pick<Props, 'onClose'> & {
  readonly visitor: string;
  readonly others: readonly string[];
};

function Done({ visitor, others, onClose }: DoneProps) {
  const { domain } = useSite();
  const rest = others.find((each) => each !== visitor);
  const people = [visitor, ...(rest === undefined ? [] : [rest])];
  return (
    <Stack role="status">
      <p>Done. {people.length > 1 ? 'These are separate people now:' : 'No longer joined:'}</p>
      <DividedList>
        {people.map((id) => (
          <li key={id}>
            <Link
              to={`/${domain}/people/${encodeURIComponent(id)}`}
              className={wordsClass('link', 'broken')}
              onClick={onClose}
            >
              {id}
            </Link>
          </li>
        ))}
      </DividedList>
    </Stack>
  );
}

const LOOK_AGAIN_MS = 500;
const LOOKS_MAX = 20;

/** A person's visitors, and what joins each one to the others. */
function useJoins([first = '']: readonly string[]) {
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
function useSeparation() {
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
