import { careerInquiries as table } from '@app/db/schema/forms/careers';
import { formFeature } from '../submit/form-feature.ts';
import { careerForm } from './careers.ts';

export const careers = formFeature(careerForm, {
  emails: () => import('./email-templates.tsx'),
  exportField: 'careerInquiries',
  columns: [
    table.id,
    table.createdAt,
    table.name,
    table.email,
    table.resumeLink,
    table.message,
    table.spamSignals,
  ],
});
