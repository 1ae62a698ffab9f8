import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { EmailModule } from '../../email/template.ts';
import type { Feature } from '../../feature.ts';
import type { Deps } from './deps.ts';
import type { Form, FormValues } from './form.ts';
import { rejectedFormPage, submissionRoutes } from './handler.ts';
import { sentForms } from './sent-forms.ts';

interface FormFeature {
  emails(): Promise<EmailModule>;
  /** Field of account.json. */
  exportField: string;
  /** Columns of `submissions list` and `submissions export`, see `SubmissionTable`. */
  columns: readonly SQLiteColumn[];
}

/** The feature of a form: `/api/{name}`, and what all forms have in common. */
export const formFeature = <T extends FormValues>(
  form: Form<T>,
  { emails, exportField, columns }: FormFeature,
): Feature<Deps> => ({
  name: form.name,
  emails,
  routes: { [`/api/${form.name}`]: (deps) => submissionRoutes(deps, form) },
  personalPages: {
    [`${form.page}/again/:token`]: (deps) => ({ find: rejectedFormPage(deps, form.name) }),
  },
  userData: () => ({
    exportFields: (db, { email }) => ({ [exportField]: sentForms(db, form, email) }),
  }),
  form,
  submissions: { form: form.name, table: form.table, columns },
});
