/**
 * Batches calls of one turn of the event loop into one query to the backend (events that were read together ask together).
 * `answer` resolves with one answer for each question, in order, or rejects for all of them.
 */
export function together<Question, Answer>(
  answer: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  const ask = async (): Promise<void> => {
    const asked = waiting;
    waiting = [];
    try {
      const answers = await answer(asked.map(({ question }) => question));
      for (const [i, { resolve }] of asked.entries()) resolve(answers[i]!);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  return (question) =>
    new Promise((resolve, reject) => {
      // After the rest of this turn, in which other callers ask.
      if (waiting.length === 0) process.nextTick(ask);
      waiting.push({ question, resolve, reject });
    });
}
