import { honeypotField } from '@app/contract/forms/submit';

/** A field that only bots fill in: hidden from people, screen readers and the keyboard. */
export const Honeypot = ({ id }: { id: string }) => (
  <div className="sr-only" aria-hidden="true">
    <label htmlFor={id}>Leave this field empty</label>
    <input id={id} name={honeypotField} tabIndex={-1} autoComplete="off" />
  </div>
);
