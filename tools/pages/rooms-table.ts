/** The table of rooms in ARCHITECTURE.md: what is in each, and which rooms it may import. */
import { rooms } from '../rooms/table.ts';
import { table } from './markdown.ts';

const nameOf = (path: string): string => `\`${path.replace(/^src\//, '')}\``;

/** Rooms that have no words of their own are left out: the row of their parent describes them. */
export const roomsTable = (): string =>
  table(
    ['room', 'what', 'may import'],
    rooms
      .filter(({ what }) => what !== '')
      .map(({ path, what, may_import, is_pure }) => [
        nameOf(path),
        is_pure ? `${what}. Pure` : what,
        may_import.map(nameOf).join(', ') || 'nothing',
      ]),
  );
