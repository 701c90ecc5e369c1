/** The table of rooms in ARCHITECTURE.md: what is in each, and which rooms it may import. */
import { rooms } from '../rooms/table.ts';
import { table } from './markdown.ts';

const nameOf = (path: string): string => `\`${path.replace(/^src\//, '')}\``;

/** The nouns, which every room may use: ARCHITECTURE.md says so once, above the table. */
const isNoun = (path: string): boolean => path.endsWith('.ts');

/** Rooms that have no words of their own are left out: the row of their parent describes them. */
export const roomsTable = (): string =>
  table(
    ['room', 'what', 'may import'],
    rooms
      .filter(({ what }) => what !== '')
      .map(({ path, what, may_import, is_pure }) => [
        nameOf(path),
        is_pure ? `${what}. Pure` : what,
        may_import
          .filter((room) => !isNoun(room))
          .map(nameOf)
          .join(', ') || 'nothing',
      ]),
  );
