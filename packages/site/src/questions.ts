/** For an FAQ. The answer is one plain-text paragraph. */
export interface Question {
  readonly question: string;
  readonly answer: string;
}
