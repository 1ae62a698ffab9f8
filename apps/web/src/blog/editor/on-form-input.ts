/**
 * Listens for input into the named fields of a form, and for `input` events on the form itself,
 * which report that a script has filled in the fields. Listens on the document, so that React,
 * which listens below it, comes first: a state change before React has read the event resets
 * controlled fields.
 * @returns a function that removes the listener
 */
export const onFormInput = (
  form: HTMLFormElement,
  listener: (event: Event) => void,
): (() => void) => {
  const onInput = (event: Event) => {
    const field = event.target as Partial<HTMLInputElement>;
    if (field === form || (field.form === form && field.name)) listener(event);
  };
  document.addEventListener('input', onInput);
  return () => document.removeEventListener('input', onInput);
};
