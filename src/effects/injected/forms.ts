/** The texts that a receiver makes of one value: as it is, without URL or HTML encoding, with plain quotes. */
import { XML_ENTITIES } from '../../lang/markup.ts';

const MAX_TEXT = 4_096;
/** Quotes and brackets of full width, which some servers fold into the plain ones. */
const WIDE = /[\uff01-\uff5e\u2018\u2019\u02bc]/;

/** The value and what decoding makes of it; no form twice. */
export function formsOf(value: string): string[] {
  if (value.length > MAX_TEXT) return [value];
  const forms = [value];
  let text = value;
  for (let level = 0; level < 2 && /%[0-9a-f]{2}/i.test(text); level++) {
    const plain = text.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
    if (plain === text) break;
    text = plain;
  }
  if (!text.includes(' ') && text.includes('+')) text = text.replaceAll('+', ' ');
  if (text.includes('&'))
    text = text.replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi, (all, name: string) => entity(name) ?? all);
  if (WIDE.test(text)) text = text.normalize('NFKC').replace(/[\u2018\u2019\u02bc]/g, "'");
  if (text !== value) forms.push(text);
  return forms;
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return XML_ENTITIES.get(name.toLowerCase());
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code < 128 ? String.fromCharCode(code) : undefined;
}
