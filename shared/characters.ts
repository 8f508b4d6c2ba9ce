// What strings are, as both sides judge it. No zod here: the channel page checks what viewers enter, and stays small.

export function charCount(value: string): number {
  let count = 0
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    if (unit < 0xdc00 || unit > 0xdfff) count++
  }
  return count
}

export function isHttpUrl(value: string): boolean {
  // The URL parser would silently drop these.
  if (/[\t\n\r]|\s$/.test(value)) return false
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}
