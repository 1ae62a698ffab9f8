/** One or two cards are wide. More cards share the width of the page. */
export const postGrid =
  'grid gap-8 has-[>:nth-child(3)]:grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] not-has-[>:nth-child(3)]:grid-cols-[minmax(0,34rem)] md:not-has-[>:nth-child(3)]:grid-cols-[repeat(2,minmax(0,34rem))]';
