import type { ReactElement } from 'react';
import * as v from 'valibot';
import type { NewEmail } from './outbox.ts';

type Props = Record<string, unknown>;

interface EmailTemplate<P extends Props = Props> {
  /** The props stored in the outbox. */
  schema: v.GenericSchema<P>;
  Component(props: P & { to: string }): ReactElement;
}

export type EmailTemplates = Readonly<Record<string, EmailTemplate>>;

/** Exports of a feature's `email-templates.tsx`. */
export interface EmailModule {
  templates: EmailTemplates;
  /** One or more of each kind, for previews and tests. */
  emailSamples(publicUrl: string): NewEmail[];
}

export const template = <const E extends v.ObjectEntries>(
  entries: E,
  Component: (props: v.InferOutput<v.ObjectSchema<E, undefined>> & { to: string }) => ReactElement,
) => ({ schema: v.object(entries), Component });

export type EmailOf<T extends Record<string, { schema: v.GenericSchema }>> = {
  [Kind in keyof T & string]: Omit<NewEmail, 'kind' | 'props'> & {
    kind: Kind;
    props: v.InferOutput<T[Kind]['schema']>;
  };
}[keyof T & string];
