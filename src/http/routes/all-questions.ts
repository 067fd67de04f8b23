import type { Questions } from '#report/questions.ts';
import type { Server } from '../server-type.ts';
import { addQueryRoutes } from './query.ts';
import type { QuestionRouteDeps } from './questions.ts';

/** The routes of every kind of question. */
export function addAllQuestionRoutes(
  server: Server,
  { report }: Questions,
  deps: QuestionRouteDeps,
): void {
  addQueryRoutes(server, { ...deps, report });
}
