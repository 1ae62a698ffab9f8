import type { ClientDirective } from 'astro';

/**
 * The element that Astro draws around an island, in place of Astro's own, which is inlined
 * into every page that has one: five times as long, for slots, nested islands and kinds of
 * props that no island of this site has.
 */

/** As Astro serializes a prop: 0 is a plain value or an object of props, 1 an array. */
type Serialized = [0, unknown] | [1, Serialized[]];

const revive = ([kind, value]: Serialized): unknown => {
  if (kind === 1) return value.map(revive);
  return value && typeof value === 'object' ? reviveAll(value as object) : value;
};

const reviveAll = (props: object): object =>
  Object.fromEntries(Object.entries(props).map(([name, value]) => [name, revive(value)]));

type Hydrator = (
  island: HTMLElement,
) => (component: unknown, props: object, slots: object, options: object) => Promise<void>;

class Island extends HTMLElement {
  connectedCallback() {
    const text = (name: string) => this.getAttribute(name) ?? '';

    const load = async () => {
      const [component, { default: hydrator }] = (await Promise.all([
        import(/* @vite-ignore */ text('component-url')),
        import(/* @vite-ignore */ text('renderer-url')),
      ])) as [Record<string, unknown>, { default: Hydrator }];

      return async () => {
        // On a slow line the pointer may arrive before the rest of the island does.
        if (document.readyState === 'loading') {
          await new Promise((parsed) => document.addEventListener('DOMContentLoaded', parsed));
        }
        const props = reviveAll(JSON.parse(text('props')));
        await hydrator(this)(component[text('component-export')], props, {}, { client: 'load' });
        this.removeAttribute('ssr');
      };
    };

    const { Astro: directives } = window as unknown as { Astro: Record<string, ClientDirective> };
    directives[text('client')]?.(load, JSON.parse(text('opts')), this);
  }
}

customElements.define('astro-island', Island);
