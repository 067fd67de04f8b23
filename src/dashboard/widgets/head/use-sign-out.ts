import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { request } from '../../api/api.ts';
import { forgetAnswers } from '../../api/kept-answers.ts';

/** Signs the user out, and forgets what was shown to them. */
export function useSignOut(): () => Promise<void> {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return async () => {
    await request('/api/auth/sign-out', { method: 'POST', body: {} });
    client.clear();
    forgetAnswers();
    navigate('/sign-in');
  };
}
