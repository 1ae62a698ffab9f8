interface SpinnerProps {
  className?: string;
}

/** Turns slowly and in steps if the user prefers reduced motion. */
export const Spinner = ({ className = 'size-5' }: SpinnerProps) => (
  <span
    className={`inline-block animate-[spin_800ms_linear_infinite] rounded-full border-3 border-border border-t-primary motion-reduce:animate-[spin_4s_steps(8)_infinite] ${className}`}
    data-spinner
    aria-hidden="true"
  />
);
