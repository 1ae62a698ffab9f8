import type { EditConflict as Conflict, ConflictSides } from '@app/contract/edit-conflict';
import { unsaved } from '@app/site/blog/unsaved';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { LocalTime } from './LocalTime.tsx';
import type { ConflictChoice, ConflictChoices } from './resolve-conflict.ts';

const words = unsaved.conflict;

interface EditConflictProps {
  conflict: Conflict;
  onChoose: (choices: ConflictChoices) => void;
}

/** Both texts of a save that conflicts with another one. Choosing fills the form, and saves nothing. */
export const EditConflict = ({ conflict, onChoose }: EditConflictProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { savedBy, isYours, savedAt, fields, content } = conflict;
  const parts = content.filter((part): part is ConflictSides => !('text' in part));
  const [before, after] = isYours ? words.ownText : words.text(savedBy);
  const names = {
    yours: isYours ? words.here : words.yours,
    theirs: isYours ? words.elsewhere : words.theirs(savedBy),
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const choiceOf = (name: string) => form.get(name) as ConflictChoice;
    onChoose({
      fields: fields.map(({ field }) => choiceOf(field)),
      content: parts.map((_, index) => choiceOf(`content${index}`)),
    });
  };

  return (
    <form
      className="panel mb-8 p-[clamp(1rem,3vw,2rem)]"
      id="edit-conflict"
      onSubmit={onSubmit}
      aria-labelledby="conflict-heading"
    >
      <h2 ref={heading} className="scroll-mt-24 text-title" id="conflict-heading" tabIndex={-1}>
        {words.heading}
      </h2>
      <p className="mt-2">
        {before}
        <LocalTime time={savedAt} />
        {after} {isYours ? words.ownOthersBelow : words.othersBelow} {words.hint}
      </p>
      {fields.map((sides) => (
        <Choice
          key={sides.field}
          name={sides.field}
          label={words.parts[sides.field]}
          sides={sides}
          names={names}
        />
      ))}
      {parts.map((sides, index) => (
        <Choice
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          key={index}
          name={`content${index}`}
          label={words.parts.content(index + 1)}
          sides={sides}
          names={names}
          hasBoth
        />
      ))}
      <button className="button mt-6" type="submit">
        {words.submit}
      </button>
    </form>
  );
};

interface ChoiceProps {
  name: string;
  label: string;
  sides: ConflictSides;
  names: Record<'yours' | 'theirs', string>;
  hasBoth?: boolean;
}

const choice =
  'block min-w-0 cursor-pointer rounded-panel border border-input p-4 hover:border-foreground has-checked:border-primary has-checked:bg-primary-subtle has-checked:outline-1 has-checked:outline-primary';
const choiceName = 'flex items-center gap-3 font-semibold';
const radio = 'size-5 shrink-0 accent-primary';

const Choice = ({ name, label, sides, names, hasBoth = false }: ChoiceProps) => (
  <fieldset className="mt-6">
    <legend className="font-semibold">{label}</legend>
    <div className="mt-2 grid gap-4 md:grid-cols-2">
      {(['yours', 'theirs'] as const).map((side) => (
        <label key={side} className={choice}>
          <span className={choiceName}>
            <input
              className={radio}
              type="radio"
              name={name}
              value={side}
              defaultChecked={side === 'yours'}
            />
            <span className="min-w-0 wrap-anywhere">{names[side]}</span>
          </span>
          {sides[side].trim() === '' ? (
            <span className="mt-2 block text-muted-foreground">{words.nothing}</span>
          ) : (
            <span
              className="mt-2 block max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere"
              dir="auto"
            >
              {sides[side].trimEnd()}
            </span>
          )}
        </label>
      ))}
    </div>
    {hasBoth && (
      <label className={`mt-4 ${choice}`}>
        <span className={choiceName}>
          <input className={radio} type="radio" name={name} value="both" />
          {words.both}
        </span>
      </label>
    )}
  </fieldset>
);
