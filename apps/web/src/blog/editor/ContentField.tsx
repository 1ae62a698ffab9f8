import { limits } from '@app/contract/limits';
import { editor } from '@app/site/blog/editor';
import { pictureTexts } from '@app/site/blog/pictures';
import { type RefObject, useCallback, useRef } from 'react';
import { Field } from '../../components/form/Field.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { TabList } from '../../components/TabList.tsx';
import { newUploadId } from '../pictures/upload-id.ts';
import type { MarkdownEditor } from './markdown/create-editor.ts';
import { Toolbar, type ToolbarCommand } from './markdown/Toolbar.tsx';
import { useMarkdownEditor } from './markdown/use-markdown-editor.ts';
import { useVisibleBottom } from './markdown/use-visible-bottom.ts';
import { WordCount } from './markdown/WordCount.tsx';
import type { TextPicturesHandle, TextPicturesProps } from './pictures/TextPictures.tsx';
import { useLazyComponent } from './use-lazy-component.ts';
import { useTypedText } from './use-typed-text.ts';

export type ContentTab = 'edit' | 'preview';

const tabs = [
  { id: 'edit', label: editor.tabs.edit },
  { id: 'preview', label: editor.tabs.preview },
] as const;

interface ContentFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  markdown: RefObject<MarkdownEditor | null>;
  initial: string | undefined;
  errors: FieldErrors;
  tab: ContentTab;
  isShown: boolean;
  onTab: (tab: ContentTab) => void;
  onCursor: () => void;
}

const loadPictures = async () => (await import('./pictures/TextPictures.tsx')).TextPictures;

/** A textarea, which CodeMirror replaces once its script is loaded. */
export const ContentField = ({
  ref,
  markdown,
  initial,
  errors,
  tab,
  isShown,
  onTab,
  onCursor,
}: ContentFieldProps) => {
  const box = useRef<HTMLDivElement>(null);
  const parent = useRef<HTMLDivElement>(null);
  useVisibleBottom(box);
  useTypedText(ref);
  const text = useCallback(
    () => markdown.current?.text() ?? ref.current?.value ?? '',
    [markdown, ref],
  );
  const pictures = useLazyComponent<TextPicturesProps, TextPicturesHandle>(loadPictures);
  const onFiles = (files: File[], at: number | null) => {
    const inText = markdown.current?.pictures;
    const added = files.map((file) => {
      const id = newUploadId();
      inText?.reserve(id, pictureTexts.placeholder(file.name), at);
      return { id, file };
    });
    pictures.use(
      ({ add }) => add(added),
      () => {
        for (const { id } of added) inText?.release(id);
      },
    );
  };
  const onCommand = (command: ToolbarCommand) => {
    if (command === 'picture') pictures.use(({ openDialog }) => openDialog());
    else if (command === 'find') markdown.current?.find();
    else markdown.current?.run(command);
  };
  const { isReady, marks } = useMarkdownEditor({
    textarea: ref,
    parent,
    editor: markdown,
    error: errors['content'],
    onFiles,
    onCursor,
  });

  return (
    <Field
      id="post-content"
      name="content"
      label={editor.content}
      // The textarea needs no hint. A space reserves its line, so that nothing below moves later.
      hint={isShown ? (isReady ? editor.leaveHint : '\u00A0') : ''}
      hintClassName="pointer-coarse:hidden"
      beside={
        <TabList
          label={editor.content}
          tabs={tabs}
          open={tab}
          enhanced
          onOpen={onTab}
          className="xl:hidden!"
        />
      }
      errors={errors}
    >
      {(control) => (
        <div id="edit" role="tabpanel" aria-labelledby="edit-tab" hidden={!isShown}>
          <div
            ref={box}
            className="group/text rounded-control border border-input bg-surface focus-within:outline-3 focus-within:outline-offset-3 focus-within:outline-primary hover:border-foreground data-invalid:border-danger"
            data-invalid={errors['content'] ? '' : undefined}
          >
            <Toolbar
              marks={marks}
              controls="post-content-editor"
              disabled={!isReady}
              onCommand={onCommand}
            />
            {/* This element keeps sticky panels below the toolbar. */}
            <div>
              <div id="post-content-editor" ref={parent} hidden={!isReady} />
              {/* As large as the editor, so that nothing below moves under a finger. */}
              <textarea
                {...control}
                ref={ref}
                className="block field-sizing-content min-h-88 w-full resize-none bg-transparent px-3.5 py-3 leading-[1.6] outline-none"
                defaultValue={initial}
                required
                maxLength={limits.content}
                hidden={isReady}
                onSelect={onCursor}
              />
              {pictures.Component && (
                <pictures.Component markdown={markdown} onReady={pictures.onReady} />
              )}
            </div>
            {pictures.isFailed && (
              <p
                className="sticky bottom-0 z-10 border-t border-border bg-surface px-3.5 py-2 text-sm font-medium text-danger pointer-coarse:bottom-14"
                role="alert"
              >
                {pictureTexts.loadFailed}
              </p>
            )}
            <WordCount textarea={ref} text={text} />
          </div>
        </div>
      )}
    </Field>
  );
};
