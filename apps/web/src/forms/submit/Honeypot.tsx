import { honeypotField } from '@app/contract/forms/submit';

/** Asks for something that only programs give: people neither see it nor reach it. */
export const Honeypot = ({ id }: { id: string }) => (
  <div className="sr-only" aria-hidden="true">
    <label htmlFor={id}>Leave this field empty</label>
    <input id={id} name={honeypotField} tabIndex={-1} autoComplete="off" />
  </div>
);
