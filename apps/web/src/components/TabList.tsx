import { type KeyboardEvent, type MouseEvent, useRef } from 'react';

const tabClass =
  'rounded-control px-4.5 py-2.5 font-semibold text-muted-foreground ring-input hover:text-foreground aria-selected:bg-surface aria-selected:text-foreground aria-selected:ring forced-colors:aria-selected:underline';

interface TabListProps<Tab extends string> {
  label: string;
  tabs: readonly { id: Tab; label: string }[];
  open: Tab;
  /** Whether the island is hydrated. Until then, each tab is a plain link in the tab order. */
  enhanced: boolean;
  onOpen: (tab: Tab) => void;
  className?: string;
}

/**
 * Two tabs that link to their panels, so that CSS (`:target`) can switch them without JavaScript.
 */
export const TabList = <Tab extends string>({
  label,
  tabs,
  open,
  enhanced,
  onOpen,
  className = '',
}: TabListProps<Tab>) => {
  const list = useRef<HTMLDivElement>(null);

  const choose = (event: MouseEvent, tab: Tab) => {
    event.preventDefault();
    onOpen(tab);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = tabs.find(({ id }) => id !== open);
    if (!other) return;
    onOpen(other.id);
    list.current?.querySelector<HTMLElement>(`[href="#${other.id}"]`)?.focus();
  };

  return (
    <div
      ref={list}
      className={`flex gap-1 rounded-control bg-muted p-1 ${className}`}
      role="tablist"
      aria-label={label}
    >
      {tabs.map(({ id, label: name }) => (
        <a
          key={id}
          className={`flex-1 text-center ${tabClass}`}
          href={`#${id}`}
          id={`${id}-tab`}
          role="tab"
          aria-selected={open === id}
          aria-controls={id}
          tabIndex={enhanced && open !== id ? -1 : undefined}
          onClick={(event) => choose(event, id)}
          onKeyDown={onKey}
        >
          {name}
        </a>
      ))}
    </div>
  );
};
