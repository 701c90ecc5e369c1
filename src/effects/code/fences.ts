const FENCES = /^\s*```[\w-]*[ \t]*\n?|\n?```\s*$/g;

/** Code without the fences of Markdown around it. */
export const withoutFences = (code: string): string => (code.includes('```') ? code.replace(FENCES, '') : code);
