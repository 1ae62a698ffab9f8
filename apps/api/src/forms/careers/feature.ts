import { careerInquiries as table } from '@app/db/schema/forms/careers';
import type { Feature } from '../../feature.ts';
import type { Deps } from '../submit/deps.ts';
import { rejectedFormPage } from '../submit/handler.ts';
import { createCareerForm } from './careers.ts';
import { careerRoutes } from './routes.ts';

export const careers: Feature<Deps> = {
  name: 'careers',
  emails: () => import('./email-templates.tsx'),
  routes: (deps) => ({ '/api/careers': careerRoutes(deps) }),
  personalPages: (deps) => ({
    '/careers/again/:token': { find: rejectedFormPage(deps, 'careers') },
  }),
  form: createCareerForm,
  submissions: {
    form: 'careers',
    table,
    columns: [
      table.id,
      table.createdAt,
      table.name,
      table.email,
      table.resumeLink,
      table.message,
      table.spamSignals,
    ],
  },
};
