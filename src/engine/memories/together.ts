/**
 * Makes one call of many: what is asked for in one go (events that were read together ask together) is answered by one
 * question to the backend. `answer` gives one answer for each question, in order, or rejects for all of them.
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
      // After all that this turn still has to do, where the others ask.
      if (waiting.length === 0) process.nextTick(ask);
      waiting.push({ question, resolve, reject });
    });
}
