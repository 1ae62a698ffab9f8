import { editor } from '@app/site/blog/editor';
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { PreviewTheme } from './show-page.ts';
import { useFrameScale } from './use-frame-scale.ts';
import { type Cursor, usePreview } from './use-preview.ts';

/** In CSS pixels. */
const widths = { phone: 390, desktop: 1280 } as const;

export interface PreviewHandle {
  /** Scrolls to the cursor. */
  follow: () => void;
}

interface PreviewPaneProps {
  ref: RefObject<PreviewHandle | null>;
  form: RefObject<HTMLFormElement | null>;
  postId: string | undefined;
  isShown: boolean;
  /** The initial device. */
  device: keyof typeof widths;
  cursorOf: () => Cursor | null;
}

/** The page as readers would see it, in a frame without scripts. */
export const PreviewPane = ({
  ref,
  form,
  postId,
  isShown,
  device: initialDevice,
  cursorOf,
}: PreviewPaneProps) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [device, setDevice] = useState(initialDevice);
  const [theme, setTheme] = useState<PreviewTheme>('light');
  const { problem, show, follow } = usePreview({
    form,
    frame,
    postId,
    theme,
    isShown,
    cursorOf,
  });
  useFrameScale(frame, widths[device], isShown);
  useImperativeHandle(ref, () => ({ follow }), [follow]);
  useEffect(() => setDevice(initialDevice), [initialDevice]);
  useEffect(() => {
    if (document.documentElement.classList.contains('dark')) setTheme('dark');
  }, []);
  useEffect(show, [show]);

  return (
    <div className="panel flex h-full flex-col overflow-hidden">
      <div className="flex items-center justify-between gap-3 border-b border-border px-3 py-2">
        <p className="text-sm font-semibold">{editor.preview.heading}</p>
        <div className="flex gap-2">
          <Toggle
            isOn={device === 'phone'}
            onClick={() => setDevice(device === 'phone' ? 'desktop' : 'phone')}
          >
            {editor.preview.phone}
          </Toggle>
          <Toggle
            isOn={theme === 'dark'}
            onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
          >
            {editor.preview.dark}
          </Toggle>
        </div>
      </div>
      <div aria-live="polite">
        {problem && <p className="notice notice-warning m-3 text-sm">{problem}</p>}
      </div>
      <div className="min-h-0 flex-1 overflow-hidden bg-muted">
        {isShown && (
          <iframe
            ref={frame}
            className="origin-top-left bg-background"
            src="/api/preview-frame"
            sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            title={editor.preview.title}
            onLoad={show}
          />
        )}
      </div>
    </div>
  );
};

interface ToggleProps {
  isOn: boolean;
  onClick: () => void;
  children: string;
}

const Toggle = ({ isOn, onClick, children }: ToggleProps) => (
  <button
    className="min-h-8 pointer-coarse:min-h-11 rounded-control border border-input px-3 text-sm font-medium hover:border-foreground aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:text-primary-foreground"
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
  >
    {children}
  </button>
);
