import type { ComponentProps } from 'react';

interface SwitchProps extends ComponentProps<'input'> {
  on: string;
  off: string;
}

/** A checkbox with a label for each state. `className` applies to the label. */
export const Switch = ({ on, off, className = '', ...attributes }: SwitchProps) => (
  <label className={`inline-flex min-h-12 items-center gap-3 font-semibold ${className}`}>
    <input
      {...attributes}
      className="peer relative h-7 w-12 appearance-none rounded-full border border-input bg-muted transition-colors before:absolute before:top-0.75 before:left-0.75 before:size-5 before:rounded-full before:bg-input before:transition-[translate] checked:border-primary checked:bg-primary checked:before:translate-x-5 checked:before:bg-accent forced-colors:before:bg-[CanvasText] forced-colors:checked:bg-[Highlight]"
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes whether it is checked
      role="switch"
    />
    <span className="hidden peer-checked:inline">{on}</span>
    <span className="peer-checked:hidden">{off}</span>
  </label>
);
