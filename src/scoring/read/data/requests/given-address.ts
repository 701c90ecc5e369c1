/** Addresses that were given as a whole: a signed address, a link with a token of its own. */
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';

/** Without what a host that writes it out may leave away. */
export const bareAddress = (address: string): string => address.replace(/[#?&]$/, '');

/** Whether the user or a result wrote the address out, with all that is in it: then nobody put a value there that was read elsewhere. */
export function isGivenAddress(address: string, text: TextReading): boolean {
  const bare = bareAddress(address);
  return userWords(text).includes(bare) || text.untrusted.some((passage) => passage.text.includes(bare));
}
