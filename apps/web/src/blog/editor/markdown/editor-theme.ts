import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const code = 'ui-monospace, "SFMono-Regular", "Cascadia Code", Menlo, Consolas, monospace';
const display = 'var(--font-display)';

const highlight = HighlightStyle.define([
  { tag: tags.heading1, fontFamily: display, fontWeight: '700', fontSize: '1.5em' },
  { tag: tags.heading2, fontFamily: display, fontWeight: '700', fontSize: '1.5em' },
  { tag: tags.heading3, fontFamily: display, fontWeight: '700', fontSize: '1.25em' },
  { tag: tags.heading, fontFamily: display, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--primary)', textDecoration: 'underline' },
  { tag: tags.url, color: 'var(--muted-foreground)' },
  { tag: tags.monospace, fontFamily: code, fontSize: '0.9em' },
  { tag: tags.quote, color: 'var(--muted-foreground)' },
  { tag: tags.processingInstruction, color: 'var(--muted-foreground)' },
  { tag: tags.contentSeparator, color: 'var(--muted-foreground)' },
]);

const theme = EditorView.theme({
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.6', overflow: 'visible' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--foreground)', minHeight: '22rem' },
  '.cm-line': { padding: '0 0.875rem' },
  '.cm-cursor': { borderLeftColor: 'var(--foreground)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--accent-subtle)' },
  '.cm-dropCursor': { borderLeftColor: 'var(--primary)', borderLeftWidth: '2px' },
  '.cm-picture-placeholder': {
    borderRadius: 'var(--radius-control)',
    background: 'var(--accent-subtle)',
    color: 'var(--accent-subtle-foreground)',
    padding: '0.125rem 0.5rem',
    fontSize: '0.875em',
    overflowWrap: 'anywhere',
  },
  '.cm-panels': { background: 'var(--muted)', color: 'var(--foreground)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: '0.5rem 3rem 0.5rem 0.75rem' },
  '.cm-panel.cm-search :is(input, button, label)': {
    margin: '0.25rem 0.5rem 0.25rem 0',
    verticalAlign: 'middle',
  },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.5rem',
    minHeight: '2.75rem',
    fontSize: '0.875rem',
  },
  '.cm-panel.cm-search input[type=checkbox]': {
    margin: '0',
    width: '1.125rem',
    height: '1.125rem',
    accentColor: 'var(--primary)',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '0.25rem',
    right: '0.25rem',
    margin: '0',
    width: '2.75rem',
    height: '2.75rem',
    fontSize: '1.5rem',
  },
  '.cm-textfield': {
    border: '1px solid var(--input)',
    borderRadius: 'var(--radius-control)',
    background: 'var(--surface)',
    padding: '0.25rem 0.75rem',
    minHeight: '2.75rem',
    fontSize: '1rem',
  },
  '.cm-button': {
    border: '1px solid var(--input)',
    borderRadius: 'var(--radius-control)',
    background: 'var(--surface)',
    padding: '0.25rem 0.75rem',
    minHeight: '2.75rem',
    fontSize: '0.875rem',
    fontWeight: '600',
  },
  '.cm-searchMatch': { background: 'var(--accent-subtle)', outline: '1px solid var(--accent)' },
  '.cm-searchMatch-selected': {
    background: 'var(--accent)',
    color: 'var(--color-accent-foreground)',
  },
});

export const editorTheme: Extension = [theme, syntaxHighlighting(highlight)];
