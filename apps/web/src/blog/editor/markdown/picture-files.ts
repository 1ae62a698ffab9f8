import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Handles pasted and dropped pictures. Ignores the picture of a copied text that word processors
 * and spreadsheets put on the clipboard. CodeMirror inserts the text of other files.
 */
export const pictureFiles = (onFiles: (files: File[], at: number | null) => void): Extension =>
  EditorView.domEventHandlers({
    paste(event) {
      const files = filesOf(event.clipboardData);
      if (files.length === 0 || hasText(event.clipboardData)) return false;
      event.preventDefault();
      onFiles(files, null);
      return true;
    },
    drop(event, view) {
      const files = filesOf(event.dataTransfer);
      if (files.length === 0) return false;
      event.preventDefault();
      onFiles(files, view.posAtCoords({ x: event.clientX, y: event.clientY }, false));
      return true;
    },
  });

/** All files if one of them is a picture, so that the upload rejects the others with a reason. */
const filesOf = (data: DataTransfer | null): File[] => {
  const files = [...(data?.files ?? [])];
  return files.some(({ type }) => type.startsWith('image/')) ? files : [];
};

/** The HTML of a picture that was copied from a page contains no text. */
const hasText = (data: DataTransfer | null): boolean =>
  (data?.getData('text/html') ?? '').replace(/<[^<>]*>/g, '').trim() !== '';
