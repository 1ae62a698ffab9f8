/** A question of an FAQ and its answer: plain text, a paragraph. */
export interface Question {
  readonly question: string;
  readonly answer: string;
}
