import { careerInquiries as table } from '@app/db/schema/forms/careers';
import type { Feature } from '../../feature.ts';
import type { Deps } from '../submit/deps.ts';
import { rejectedFormPage, submissionRoutes } from '../submit/handler.ts';
import { sentForms } from '../submit/sent-forms.ts';
import { careerForm } from './careers.ts';

export const careers: Feature<Deps> = {
  name: 'careers',
  emails: () => import('./email-templates.tsx'),
  routes: { '/api/careers': (deps) => submissionRoutes(deps, careerForm) },
  personalPages: {
    '/careers/again/:token': (deps) => ({ find: rejectedFormPage(deps, 'careers') }),
  },
  userData: () => ({
    exportFields: (db, { email }) => ({ careerInquiries: sentForms(db, careerForm, email) }),
  }),
  form: careerForm,
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
