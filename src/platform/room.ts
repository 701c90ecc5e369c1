/** Work that takes memory: as much at a time as there is room for. The rest waits, first come, first served. */

export interface Room {
  /** Resolves when there is room. What needs more than there is in all has it to itself. */
  enter(need: number): Promise<void>;
  /** Ends what `enter` began, with the same argument. */
  leave(need: number): void;
}

export function createRoom(size: number): Room {
  const waiting: { need: number; begin: () => void }[] = [];
  let free = size;
  const beginNext = (): void => {
    for (let next = waiting[0]; next !== undefined && next.need <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.need;
      next.begin();
    }
  };
  return {
    enter: (need) =>
      new Promise((begin) => {
        waiting.push({ need: Math.min(need, size), begin });
        beginNext();
      }),
    leave(need) {
      free += Math.min(need, size);
      beginNext();
    },
  };
}
