import { messages } from '@app/contract/messages';
import type { InputIssue } from '@app/contract/problems';

const required: readonly string[] = [messages.field.emailRequired, messages.field.passwordRequired];

/**
 * The notice of a form without JavaScript if its fields are only missing: `email-required`,
 * `password-required` or `email-password-required`.
 */
export const requiredNotice = (issues: readonly InputIssue[]): string | undefined =>
  issues.every(({ message }) => required.includes(message))
    ? `${issues.map(({ path }) => path).join('-')}-required`
    : undefined;
