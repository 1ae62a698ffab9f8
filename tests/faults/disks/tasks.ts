import { png } from '../../support/pictures.ts';
import type { Writer } from '../../support/writer.ts';

interface TaskReply {
  status: number;
  text: string;
  isStored: boolean;
}

/** Sends what visitors and an author send, and remembers what was acknowledged. */
export class Tasks {
  readonly messages: string[] = [];
  readonly slugs: string[] = [];
  readonly pictures: string[] = [];
  readonly #writer: Writer;
  #done = 0;

  /** @param writer works for all servers, because they have the same port and URL */
  constructor(writer: Writer) {
    this.#writer = writer;
  }

  async all(): Promise<[string, TaskReply][]> {
    this.#done += 1;
    const name = `task-${this.#done}`;
    // Long, because a full database can still have free pages.
    const text = `${name} ${'word '.repeat(900)}`;
    const message = await this.#do(
      this.#writer.call('POST', '/api/contact', { name, email: 'vera@example.com', message: text }),
    );
    if (message.isStored) this.messages.push(name);
    const post = { title: name, slug: name, content: text.repeat(30), published: true };
    const saved = await this.#do(this.#writer.call('POST', '/api/posts', post));
    if (saved.isStored) this.slugs.push(name);
    const image = new Uint8Array(await png(40 + this.#done));
    const avatar = await this.#do(this.#writer.upload(image));
    const picture = await this.#do(this.#writer.uploadPicture(image));
    if (picture.isStored) this.pictures.push((JSON.parse(picture.text) as { path: string }).path);
    return [
      ['a message', message],
      ['a post', saved],
      ['an avatar upload', avatar],
      ['a picture upload', picture],
    ];
  }

  async #do(sent: Promise<Response>): Promise<TaskReply> {
    const response = await sent;
    const { status, ok } = response;
    return { status, text: await response.text(), isStored: ok };
  }
}
