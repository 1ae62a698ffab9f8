/** An FAQ item. The answer is one plain-text paragraph. */
export interface Question {
  readonly question: string;
  readonly answer: string;
}
