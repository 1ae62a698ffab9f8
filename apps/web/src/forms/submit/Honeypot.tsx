import { honeypotField } from '@app/contract/forms/honeypot';
import { labels } from '@app/site/forms/labels';

/** A field that only bots fill in: hidden from people, screen readers and the keyboard. */
export const Honeypot = ({ id }: { id: string }) => (
  <div className="sr-only" aria-hidden="true">
    <label htmlFor={id}>{labels.honeypot}</label>
    <input id={id} name={honeypotField} tabIndex={-1} autoComplete="off" />
  </div>
);
