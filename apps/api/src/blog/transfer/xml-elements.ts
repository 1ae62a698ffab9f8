import { createReadStream } from 'node:fs';
import sax from 'sax';

/** Total length of the texts in an element, in characters. */
const maxText = 2_000_000;
const maxDepth = 50;
const maxChildren = 20_000;

/** An element with its descendants. */
export class Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly #children: Element[] = [];
  #ownText = '';
  /** Its text was cut. */
  isTooLong = false;

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.attributes = attributes;
  }

  children(name: string): Element[] {
    return this.#children.filter((child) => child.name === name);
  }

  /**
   * The trimmed text of the first child with this name; '' if there is none.
   * @param name '' for the element itself
   */
  text(name: string): string {
    const element = name === '' ? this : this.#children.find((child) => child.name === name);
    return element ? element.#ownText.trim() : '';
  }

  addText(text: string): void {
    this.#ownText += text;
  }

  addChild(child: Element): void {
    if (this.#children.length < maxChildren) this.#children.push(child);
  }
}

/**
 * Reads an XML file as a stream. Knows only the five predefined entities; a document type cannot
 * declare others.
 * @param isWanted called with the path of an element, such as rss/channel/item
 * @throws if the XML is not well-formed
 */
export async function* readElements(
  file: string,
  isWanted: (path: string) => boolean,
): AsyncGenerator<Element> {
  const parser = sax.parser(true, { strictEntities: true } as sax.SAXOptions);
  const done: Element[] = [];
  const path: string[] = [];
  /** The wanted element and its open descendants. */
  const open: Element[] = [];
  let length = 0;

  const addText = (text: string): void => {
    const [outermost] = open;
    if (!outermost) return;
    length += text.length;
    if (length > maxText) outermost.isTooLong = true;
    else open.at(-1)?.addText(text);
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => {
    path.push(name);
    if (path.length > maxDepth)
      throw new Error(`its elements are nested more than ${maxDepth} levels deep`);
    if (open.length === 0 && !isWanted(path.join('/'))) return;
    if (open.length === 0) length = 0;
    const element = new Element(name, attributes as Record<string, string>);
    open.at(-1)?.addChild(element);
    open.push(element);
  };
  parser.onclosetag = () => {
    path.pop();
    const element = open.pop();
    if (element && open.length === 0) done.push(element);
  };
  parser.ontext = addText;
  parser.oncdata = addText;

  for await (const part of createReadStream(file, { encoding: 'utf8', highWaterMark: 262_144 })) {
    parser.write(part as string);
    yield* done.splice(0);
  }
  parser.close();
  yield* done.splice(0);
}
