/** Puts fitted weights into the source of the signs. */

/**
 * The text with base and weights of one list of signs replaced, each behind the words of its sign.
 *
 * @param list name of the list, for example `SIGNS_BELOW_HIGH`
 * @throws when the text has no such list or sign
 */
export function withWeights(
  text: string,
  list: string,
  base: number,
  weights: readonly { what: string; weight: number }[],
): string {
  const from = text.indexOf(`const ${list}`);
  const to = text.indexOf('\n};', from);
  if (from < 0 || to < 0) throw new Error(`there is no list \`${list}\``);
  let part = text.slice(from, to).replace(/base: -?[\d.]+/, `base: ${Number(base.toFixed(2))}`);
  for (const { what, weight } of weights) {
    const at = part.indexOf(`what: '${what}'`);
    if (at < 0) throw new Error(`\`${list}\` has no sign \`${what}\``);
    part = part.slice(0, at) + part.slice(at).replace(/weight: [\d.]+/, `weight: ${Number(weight.toFixed(2))}`);
  }
  return text.slice(0, from) + part + text.slice(to);
}
