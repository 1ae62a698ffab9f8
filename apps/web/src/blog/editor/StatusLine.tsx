/** Where the text is stored. */
export interface EditorStatus {
  title: string;
  detail?: string;
  link?: { href: string; label: string };
  isWarning?: boolean;
  isBusy?: boolean;
  /** Not announced, because it comes and goes with each pause in typing. */
  isQuiet?: boolean;
}

const titleClass = ({ isBusy, isWarning }: EditorStatus): string => {
  if (isBusy) return 'text-muted-foreground';
  return isWarning ? 'font-semibold text-danger' : 'font-semibold';
};

export const StatusLine = ({ status }: { status: EditorStatus | null }) => (
  <div className="min-h-5 w-full text-sm">
    <p id="editor-status" role="status" aria-live={status?.isQuiet ? 'off' : 'polite'}>
      {status && (
        <>
          <span className={titleClass(status)}>{status.title}</span>
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
  </div>
);
