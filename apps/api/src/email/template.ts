import type { ReactElement } from 'react';
import * as v from 'valibot';
import type { NewMail } from './outbox.ts';

type Props = Record<string, unknown>;

/** How emails of one kind look. */
export interface EmailTemplate<P extends Props = Props> {
  /** What the row of such an email holds. */
  schema: v.GenericSchema<P>;
  Component(props: P & { to: string }): ReactElement;
}

/** By the kind of email. */
export type EmailTemplates = Readonly<Record<string, EmailTemplate>>;

/** What a feature's `email-templates.tsx` exports. */
export interface EmailModule {
  templates: EmailTemplates;
  /** One or more of each kind, with made-up contents: for previews and tests. */
  emailSamples(publicUrl: string): NewMail[];
}

/** @param entries what the component shows, besides the recipient's address */
export const template = <const E extends v.ObjectEntries>(
  entries: E,
  Component: (props: v.InferOutput<v.ObjectSchema<E, undefined>> & { to: string }) => ReactElement,
) => ({ schema: v.object(entries), Component });

/** An email of one of these templates, with the props of its kind. */
export type EmailOf<T extends Record<string, { schema: v.GenericSchema }>> = {
  [Kind in keyof T & string]: Omit<NewMail, 'kind' | 'props'> & {
    kind: Kind;
    props: v.InferOutput<T[Kind]['schema']>;
  };
}[keyof T & string];
