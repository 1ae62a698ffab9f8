import { describe, expect, it } from 'vitest';
import { drawCrowd } from './crowd.ts';

const count = (path: string) => path.split('M').length - 1;

describe('drawCrowd', () => {
  it.each([
    [150, 15],
    [1200, 40],
    [12, 12],
    [1, 0],
  ])('draws %i dots, %i of them hired', (people, hired) => {
    const crowd = drawCrowd(people, hired);
    expect(count(crowd.waiting)).toBe(people - hired);
    expect(count(crowd.hired)).toBe(hired);
  });

  it('draws no more hired dots than people', () => {
    const crowd = drawCrowd(3, 5);
    expect([count(crowd.waiting), count(crowd.hired)]).toEqual([0, 3]);
  });

  it('narrows to one dot', () => {
    const { columns, hired } = drawCrowd(150, 15);
    const last = hired.split('M').filter((dot) => dot.startsWith(`${columns - 1} `));
    expect(last).toHaveLength(1);
  });
});
