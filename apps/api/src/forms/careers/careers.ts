import { type CareerInquiry, careerInquiry } from '@app/contract/forms/careers';
import { careerInquiries } from '@app/db/schema/forms/careers';
import { eq, isNotNull } from 'drizzle-orm';
import type { Form, FormDeps } from '../submit/form.ts';
import { careerNotice } from './emails.ts';

export const createCareerForm = ({ db, settings }: FormDeps): Form<CareerInquiry> => ({
  name: 'careers',
  page: '/careers',
  schema: careerInquiry,
  example: {
    name: 'Vera',
    email: 'vera@example.com',
    resumeLink: 'https://vera.example/resume',
    message: 'Hello, it is me.',
  },
  insert(tx, inquiry, facts) {
    tx.insert(careerInquiries)
      .values({ ...inquiry, ...facts })
      .run();
  },
  mails: (_tx, inquiry) => [careerNotice(inquiry, settings.mailTo)],
  find: (tx, id) => tx.select().from(careerInquiries).where(eq(careerInquiries.id, id)).get(),
  listQuarantined: () =>
    db.select().from(careerInquiries).where(isNotNull(careerInquiries.spamSignals)).all(),
  release(tx, id) {
    tx.update(careerInquiries).set({ spamSignals: null }).where(eq(careerInquiries.id, id)).run();
  },
});
