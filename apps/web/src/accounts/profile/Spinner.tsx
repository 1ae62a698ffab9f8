/** Something is being done; what it is stands beside it. */
export const Spinner = () => <span className="spinner" aria-hidden="true" />;
