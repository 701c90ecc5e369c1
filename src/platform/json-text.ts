/** JSON as text: where a string ends, and where a duplicate key stands. */

const BACKSLASH = 0x5c;

/** Index of the closing quote of the string whose text starts at `start`; the end of the text when there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1) {
    let before = end;
    while (before > start && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if (((end - before) & 1) === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

interface Level {
  /** Keys seen so far, decoded; `null` for an array. */
  names: Set<string> | null;
  /** Key or index that we are in. */
  at: string;
  index: number;
}

/**
 * JSON pointer of the first key that repeats an earlier one of its object; '' when there is none. Takes valid JSON.
 * Runs only after a duplicate is known to exist, so it is written for clarity, not for speed.
 */
export function findDuplicateKey(text: string): string {
  const levels: Level[] = [];
  let expects_key = false;
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1);
    switch (text[i]) {
      case '{':
      case '[':
        expects_key = text[i] === '{';
        levels.push({ names: expects_key ? new Set() : null, at: '0', index: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        expects_key = false;
        break;
      case ',':
        if (level?.names === null) level.at = String(++level.index);
        else expects_key = true;
        break;
      case '"': {
        const end = endOfString(text, i + 1);
        if (expects_key && level?.names) {
          level.at = JSON.parse(text.slice(i, end + 1)) as string;
          if (level.names.has(level.at)) return levels.map(({ at }) => `/${escapePointer(at)}`).join('');
          level.names.add(level.at);
          expects_key = false;
        }
        i = end;
        break;
      }
    }
  }
  return '';
}

/** One token of a JSON pointer (RFC 6901). */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
