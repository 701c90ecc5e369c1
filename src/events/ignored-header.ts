/** The header that names the fields which scoring does not know. */

/** Header values are ASCII and bounded; names are percent-encoded and the list is cut with `...` when it is long. */
const MAX_HEADER = 1_000;

/** No header when there is nothing to name. */
export function ignoredHeader(names: Iterable<string>): Record<string, string> {
  let list = '';
  for (const name of names) {
    const next = encodeURIComponent(name.slice(0, 100).toWellFormed());
    if (list.length + next.length > MAX_HEADER) return { 'weir-ignored-fields': `${list}, ...` };
    list += list === '' ? next : `, ${next}`;
  }
  return list === '' ? {} : { 'weir-ignored-fields': list };
}
