/** What a training run says on standard error while it works. */

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** A line every tenth of the steps. */
export const steps =
  (all: number): ((step: number) => void) =>
  (step) => {
    if (step % Math.ceil(all / 10) === 0) say(`  ${step} of ${all} steps`);
  };
