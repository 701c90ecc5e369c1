/** Markup: the five entities that XML itself defines, by name. */
export const XML_ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }),
);
