/** Where the text is stored. */
export interface EditorStatus {
  title: string;
  detail?: string;
  link?: { href: string; label: string };
  isWarning?: boolean;
  /** Replaces the other texts on screen, but is not announced. */
  busy?: string;
}

/** Announces changes of its text, except `busy`. */
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
              {/* A new tab, so that the text is not lost. */}
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
