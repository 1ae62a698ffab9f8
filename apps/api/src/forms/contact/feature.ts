import { contactSubmissions as table } from '@app/db/schema/forms/contact';
import { formFeature } from '../submit/form-feature.ts';
import { contactForm } from './contact.ts';

export const contact = formFeature(contactForm, {
  emails: () => import('./email-templates.tsx'),
  exportField: 'contactMessages',
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
});
