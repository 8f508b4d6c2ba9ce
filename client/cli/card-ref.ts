// How the command line names a card: by its id, or by its key as `key:NAME`.

const BY_KEY = 'key:'

export const cardRefOf = (text: string): string | { key: string } =>
  text.startsWith(BY_KEY) ? { key: text.slice(BY_KEY.length) } : text

export const nameByKey = (key: string) => `${BY_KEY}${key}`
