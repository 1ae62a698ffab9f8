import { contactSubmissions as table } from '@app/db/schema/forms/contact';
import type { Feature } from '../../feature.ts';
import type { Deps } from '../submit/deps.ts';
import { rejectedFormPage, submissionRoutes } from '../submit/handler.ts';
import { sentForms } from '../submit/sent-forms.ts';
import { contactForm } from './contact.ts';

export const contact: Feature<Deps> = {
  name: 'contact',
  emails: () => import('./email-templates.tsx'),
  routes: { '/api/contact': (deps) => submissionRoutes(deps, contactForm) },
  personalPages: {
    '/contact/again/:token': (deps) => ({ find: rejectedFormPage(deps, 'contact') }),
  },
  userData: () => ({
    exportFields: (db, { email }) => ({ contactMessages: sentForms(db, contactForm, email) }),
  }),
  form: contactForm,
  submissions: {
    form: 'contact',
    table,
    columns: [
      table.id,
      table.createdAt,
      table.name,
      table.email,
      table.phone,
      table.company,
      table.service,
      table.message,
      table.spamSignals,
    ],
  },
};
