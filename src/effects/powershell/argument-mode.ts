/** Arguments of PowerShell commands: bare words, values and lists of them, in what the language calls argument mode. */
import { Expressions } from './expressions.ts';
import { builtOf, EMPTY, list, plain, type Value } from './values.ts';

export abstract class CommandArguments extends Expressions {
  /** One argument of a command: a bare word, or a value with its members, and more behind commas. */
  argument(): Value {
    const { scan } = this;
    const values = [this.#word()];
    for (let i = 0; i < 64; i++) {
      const at = scan.at;
      scan.skipBlanks(false);
      if (!scan.take(',')) {
        scan.at = at;
        break;
      }
      scan.skipBlanks(true);
      values.push(this.#word());
    }
    return values.length === 1 ? values[0]! : list(values);
  }

  /** Pieces without a blank between them are one word: `$dir\name`, `"a"b`. */
  #word(): Value {
    const { scan } = this;
    let whole: Value | null = null;
    for (let i = 0; i < 64 && !scan.isDone; i++) {
      const c = scan.char;
      let piece: Value;
      if (/[\s;|)},]/.test(c)) break;
      if (c === '&' && !scan.startsWith('&&')) break;
      if (/["'$@({]/.test(c) || (c === '[' && whole === null)) {
        if (c === '{' && whole !== null) break;
        piece = this.members(c === '[' ? this.#bracketWord() : this.primary());
      } else {
        const { text, isBroken } = scan.bareWord();
        if (text === '') break;
        piece = isBroken ? builtOf(text) : plain(text);
      }
      whole =
        whole === null
          ? piece
          : {
              ...builtOf(whole.text + piece.text, whole, piece),
              ...(whole.isBuilt || piece.isBuilt ? {} : { isBuilt: false }),
            };
    }
    return whole ?? EMPTY;
  }

  /** `[Type]::x` as an argument; another word in brackets is a pattern. */
  #bracketWord(): Value {
    const { scan } = this;
    const at = scan.at;
    scan.bracketed();
    const isType = scan.startsWith('::') || /["'$(]/.test(scan.char);
    scan.at = at;
    if (isType) return this.typeOrCast();
    const inside = scan.bracketed();
    return plain(`[${inside}]`);
  }
}
