import { editor } from '@app/site/blog/editor';
import { pictureTexts } from '@app/site/blog/pictures';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Command } from './create-editor.ts';
import type { Marks } from './marks.ts';

const { tools } = editor;

export type ToolbarCommand = Command | 'find' | 'picture';

interface Tool {
  command: ToolbarCommand;
  label: string;
  /** SVG path of the icon, for strokes in a 20 × 20 box. */
  path: string;
  mark?: keyof Marks;
}

const all: readonly Tool[] = [
  { command: 'heading', label: tools.heading, mark: 'heading', path: 'M5 4v12M15 4v12M5 10h10' },
  {
    command: 'bold',
    label: tools.bold,
    mark: 'bold',
    path: 'M6 4h5a3 3 0 0 1 0 6H6zM6 10h6a3 3 0 0 1 0 6H6z',
  },
  { command: 'italic', label: tools.italic, mark: 'italic', path: 'M9 4h6M5 16h6M12 4 8 16' },
  {
    command: 'strikethrough',
    label: tools.strikethrough,
    mark: 'strikethrough',
    path: 'M3.5 10h13M13.5 6.5q-.7-2-3.5-2Q6.7 4.5 6.5 7m0 6.5q.7 2 3.5 2 3.3 0 3.5-2.5',
  },
  {
    command: 'link',
    label: tools.link,
    mark: 'link',
    path: 'm8.5 11.5 3-3M9 6l1.5-1.5a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.5 3.5 0 0 1-5-5L6 9',
  },
  {
    command: 'bullets',
    label: tools.bullets,
    mark: 'bullets',
    path: 'M8 5h9M8 10h9M8 15h9M3.5 5h.01M3.5 10h.01M3.5 15h.01',
  },
  {
    command: 'numbers',
    label: tools.numbers,
    mark: 'numbers',
    path: 'M9 5h8M9 10h8M9 15h8M3 4l1.5-1v5M3 12.5q3-1.5 2.5.5L3 16h3',
  },
  { command: 'quote', label: tools.quote, mark: 'quote', path: 'M4 4v12M8 6h9M8 10h9M8 14h5' },
  {
    command: 'code',
    label: tools.code,
    mark: 'code',
    path: 'm7 6-4 4 4 4M13 6l4 4-4 4',
  },
  { command: 'table', label: tools.table, path: 'M3 4h14v12H3zM3 8h14M3 12h14M10 4v12' },
  {
    command: 'picture',
    label: pictureTexts.tool,
    path: 'M3 4h14v12H3zM3 14l4-4 3 3 2-2 5 5M13 7.5h.01',
  },
  { command: 'find', label: tools.find, path: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4M13 13l4 4' },
];

interface ToolbarProps {
  marks: Marks | null;
  disabled: boolean;
  onCommand: (command: ToolbarCommand) => void;
  /** Id of the editor. */
  controls: string;
}

/**
 * A single tab stop, in which the arrow keys move (ARIA Authoring Practices, Toolbar). On touch
 * screens, it is above the keyboard while the text has the focus. Otherwise it is below the screen,
 * where the Tab key can still reach it.
 */
export const Toolbar = ({ marks, disabled, onCommand, controls }: ToolbarProps) => {
  const [current, setCurrent] = useState(0);
  const bar = useRef<HTMLDivElement>(null);

  const onKey = (event: KeyboardEvent) => {
    const next = {
      ArrowRight: (current + 1) % all.length,
      ArrowLeft: (current + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <div
      ref={bar}
      className="sticky top-18 z-20 flex gap-0.5 overflow-x-auto rounded-t-control border-b border-border bg-muted p-1 pointer-coarse:fixed pointer-coarse:inset-x-0 pointer-coarse:top-(--visible-bottom) pointer-coarse:rounded-none pointer-coarse:border-t pointer-coarse:focus-within:-translate-y-full pointer-coarse:group-has-[.cm-content:focus]/text:-translate-y-full"
      role="toolbar"
      aria-label={tools.label}
      aria-controls={controls}
      onKeyDown={onKey}
      // Keeps the focus in the text, so that the on-screen keyboard stays open.
      onPointerDown={(event) => event.preventDefault()}
    >
      {all.map(({ command, label, path, mark }, index) => (
        <button
          key={command}
          className="grid size-10 shrink-0 pointer-coarse:size-11 place-items-center rounded-control text-muted-foreground -outline-offset-2 hover:bg-surface hover:text-foreground aria-pressed:bg-primary-subtle aria-pressed:text-primary disabled:opacity-50"
          type="button"
          title={label}
          aria-label={label}
          aria-pressed={mark ? (marks?.[mark] ?? false) : undefined}
          tabIndex={index === current ? 0 : -1}
          disabled={disabled}
          onFocus={() => setCurrent(index)}
          onClick={() => onCommand(command)}
        >
          <svg
            className="size-5 fill-none stroke-current stroke-[1.75] [stroke-linecap:round] [stroke-linejoin:round]"
            viewBox="0 0 20 20"
            aria-hidden="true"
          >
            <path d={path} />
          </svg>
        </button>
      ))}
    </div>
  );
};
