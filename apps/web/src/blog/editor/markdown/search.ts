import { search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { type Command, keymap } from '@codemirror/view';

export const searchExtension: Extension = [search(), keymap.of(searchKeymap)];

export const searchCommand = (key: string): Command | undefined =>
  searchKeymap.find((binding) => binding.key === key)?.run;
