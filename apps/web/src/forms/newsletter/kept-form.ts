let form: unknown;

/**
 * The drawn form, the same on every page: a post that is published writes it out, instead
 * of having React draw it again. Not in development, where it may change.
 * @param draw gives the element. Astro's elements are values that write themselves, and
 * their island's scripts where the page has none yet, into as many pages as they are put in.
 */
export const keptForm = (draw: () => unknown): unknown => {
  if (import.meta.env.DEV) return draw();
  form ??= draw();
  return form;
};
