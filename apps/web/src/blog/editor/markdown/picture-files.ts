import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Takes pasted and dropped pictures. Word processors and spreadsheets put a picture of a copied text
 * beside it, which is not wanted. Other files are CodeMirror's: it inserts their text.
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

/** All, if there is a picture among them: the others are refused with a reason. */
const filesOf = (data: DataTransfer | null): File[] => {
  const files = [...(data?.files ?? [])];
  return files.some(({ type }) => type.startsWith('image/')) ? files : [];
};

/** A copied picture of a page has HTML with nothing else in it. */
const hasText = (data: DataTransfer | null): boolean =>
  (data?.getData('text/html') ?? '').replace(/<[^<>]*>/g, '').trim() !== '';
