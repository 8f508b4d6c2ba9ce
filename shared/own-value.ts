/** The value under a key that can be any text, also `constructor`. */
export const ownValue = <V>(values: Record<string, V>, key: string): V | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined
