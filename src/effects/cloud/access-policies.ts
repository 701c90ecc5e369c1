/** Access policies as JSON, also escaped inside another text: whether their statements allow anything. */

const EFFECT = /\\{0,3}"Effect\\{0,3}"\s{0,8}:\s{0,8}\\{0,3}"(Allow|Deny)\\{0,3}"/gi;

/** Whether a text holds statements of an access policy all of which deny: «refuse everybody who does not use TLS». */
export function onlyDenies(text: string): boolean {
  const effects = [...text.slice(0, 65_536).matchAll(EFFECT)].map(([, effect = '']) => effect.toLowerCase());
  return effects.length > 0 && effects.every((effect) => effect === 'deny');
}
