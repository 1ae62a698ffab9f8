/**
 * Listens for input into the named fields of a form, and for `input` events of the form itself, with
 * which a script reports that it has filled the fields. On the document, because React listens below
 * it: a state that changes before React has read the event resets controlled fields.
 * @returns removes the listener
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
