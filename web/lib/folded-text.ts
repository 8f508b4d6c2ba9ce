// Text without case and accents, for searches. The channel's page needs it without the fuzzy search.

/** Case and accents don't matter in a search. */
export const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
