/** Where the text is, or what became of a save. */
export interface EditorStatus {
  /** A few words: Saved. */
  title: string;
  detail?: string;
  link?: { href: string; label: string };
  isWarning?: boolean;
  /** Shown meanwhile, without being announced. */
  busy?: string;
}

/** Announces changes of its text, but not that it is busy. */
export const StatusLine = ({ status }: { status: EditorStatus | null }) => (
  <div className="noscript:hidden! min-h-5 w-full text-sm">
    <p id="editor-status" role="status" className={status?.busy ? 'sr-only' : ''}>
      {status && (
        <>
          <span className={status.isWarning ? 'font-semibold text-danger' : 'font-semibold'}>
            {status.title}
          </span>
          {status.detail && <span className="text-muted-foreground">{` · ${status.detail}`}</span>}
          {status.link && (
            <>
              {' '}
              {/* In a new tab, to keep the text. */}
              <a className="link" href={status.link.href} target="_blank" rel="noopener">
                {status.link.label}
              </a>
            </>
          )}
        </>
      )}
    </p>
    {status?.busy && (
      <p className="text-muted-foreground" aria-hidden="true">
        {status.busy}
      </p>
    )}
  </div>
);
