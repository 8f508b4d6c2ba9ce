// The API keys that end when a person loses the right to run a workspace, in a sentence. Pure.

const NAMED_MAX = 4

/** Empty if no key ends. */
export function endingKeysText(keys: { name: string }[]): string {
  if (keys.length === 0) return ''
  const names = keys.slice(0, NAMED_MAX).map(({ name }) => `“${name}”`)
  const more = keys.length - names.length
  const list = more > 0 ? `${names.join(', ')} and ${more} more` : inSentence(names)
  return `${keys.length === 1 ? 'This API key ends' : 'These API keys end'}: ${list}.`
}

function inSentence(names: string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
