import { type CareerInquiry, careerInquiry } from '@app/contract/forms/careers';
import { careerInquiries } from '@app/db/schema/forms/careers';
import type { Form } from '../submit/form.ts';
import { careerNotice } from './emails.ts';

export const careerForm: Form<CareerInquiry> = {
  name: 'careers',
  page: '/careers',
  schema: careerInquiry,
  example: {
    name: 'Vera',
    email: 'vera@example.com',
    resumeLink: 'https://vera.example/resume',
    message: 'Hello, it is me.',
  },
  table: careerInquiries,
  emails: (_tx, inquiry, { to }) => [careerNotice(inquiry, to)],
};
