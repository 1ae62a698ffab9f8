import { satteri } from '@astrojs/markdown-satteri';

/** Renders the legal pages of packages/site. The API renders posts. */
export const processor = satteri({
  features: { definitionList: true, headingAttributes: true },
  hastPlugins: [
    () => {
      let number = 0;
      return {
        name: 'section-numbers',
        element: {
          filter: ['h2'],
          visit(heading, context) {
            number += 1;
            const text = { type: 'text' as const, value: `${number}.` };
            context.prependChild(heading, [
              {
                type: 'element',
                tagName: 'span',
                properties: { className: ['number'] },
                children: [text],
              },
              { type: 'text', value: ' ' },
            ]);
          },
        },
      };
    },
    {
      // On phones each row becomes a list, with the column names as labels.
      name: 'table-rows',
      element: {
        filter: ['table'],
        visit(table, context) {
          const [header, ...rows] = elementsIn(table).flatMap(elementsIn);
          const columns = header ? elementsIn(header).map((cell) => context.textContent(cell)) : [];
          for (const row of rows) {
            for (const [index, cell] of elementsIn(row).entries()) {
              if (index > 0) context.setProperty(cell, 'data-column', columns[index]);
              else
                context.replaceNode(cell, { ...cell, tagName: 'th', properties: { scope: 'row' } });
            }
          }
        },
      },
    },
  ],
});

const elementsIn = <Node extends { type: string }>({ children }: { children: readonly Node[] }) =>
  children.filter((child): child is Extract<Node, { type: 'element' }> => child.type === 'element');
