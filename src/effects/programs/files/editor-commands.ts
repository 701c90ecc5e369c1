/** What commands of an editor do to the files that it opens: `ed`, `ex` and `vim -es` work without anybody at the keys. */

import { HOLE } from '../../data.ts';
import { emptyPath } from '../../deeds/delete-file.ts';
import { writeFile } from '../../deeds/write-file.ts';
import { type Call, type Field, isSeveral } from '../../shell/call.ts';

/** All lines are deleted: `%d`, `1,$d`, `,d`, `g/./d`, `bufdo %d`, `normal ggdG`. */
const EMPTIES =
  /(?:^|[|\n;:+])\s{0,8}(?:(?:silent!?|(?:buf|arg|win|tab)do!?|exe(?:cute)?\s{0,4}["'])\s{1,4}){0,3}:?\s{0,4}(?:(?:%|[01]?,\$|,|1,\$|g\/(?:\.\*?|\^|\$)?\/|v\/[^/\n]{0,40}\/)\s{0,4}d(?:e(?:l(?:e(?:te?)?)?)?)?(?=[\s|"';_]|$)|norm(?:al)?!?\s{1,4}(?:gg)?V?(?:dG|GVggd|ggdG|ggVGd|Vd))/;
/** The text is written to its file. */
const WRITES =
  /(?:^|[|\n;:+])\s{0,8}:?\s{0,4}(?:(?:buf|arg|win)do!?\s{1,4})?(?:w|wq|wa|wqa|wall|wqall|x|xa|xall|xit|up|update|ZZ)!?(?=[\s|"';]|$)/;
/** The text is written to another file: `w /srv/x.db`. */
const WRITES_TO =
  /(?:^|[|\n;:+])\s{0,8}:?\s{0,4}(?:%|1,\$|,)?\s{0,4}(?:w|write|sav|saveas)!?\s{1,8}([~/.\w][^\s|!"';]{0,400})/g;
const MAX_TEXT = 8_000;
const MAX_WRITES = 8;

/** Notes the files that the commands of an editor empty or write. */
export function noteEditorCommands(c: Call, given: readonly string[], files: readonly Field[]): void {
  const text = given.join('\n').slice(0, MAX_TEXT);
  if (text === '') return;
  const isEmptied = EMPTIES.test(text);
  if (isEmptied && WRITES.test(text))
    for (const file of files) emptyPath(c.world, file.text, c.excerpt, files.length > 1 || isSeveral(file));
  for (const [, path = ''] of [...text.matchAll(WRITES_TO)].slice(0, MAX_WRITES)) {
    if (c.world.describe(path).is_vital) emptyPath(c.world, path, c.excerpt);
    writeFile(c.world, path, { text: isEmptied ? '' : HOLE, taint: 0 }, c.excerpt);
  }
}
