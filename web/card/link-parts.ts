// Finds the links in plain text: http and https only, without the punctuation that ends a sentence. What turns the
// direction of writing ends a link as well: within one, it could make an address look like another.

export type TextPart = { text: string; href: string | null }

const LINK = /https?:\/\/[^\s<>"'`\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gi
const TRAILING = /[.,:;!?…*_~]+$/

/** The text in parts, in order; joined they are the text again. `href` is null for what is no link. */
export function linkParts(content: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of content.matchAll(LINK)) {
    const link = trimLink(match[0])
    if (!URL.canParse(link)) continue
    if (match.index > end) parts.push({ text: content.slice(end, match.index), href: null })
    parts.push({ text: link, href: link })
    end = match.index + link.length
  }
  if (end < content.length) parts.push({ text: content.slice(end), href: null })
  return parts
}

/** Drops what closes a sentence, and a bracket that the link itself did not open. */
function trimLink(raw: string): string {
  let link = raw.replace(TRAILING, '')
  while (/[)\]}]$/.test(link) && !isBalanced(link)) link = link.slice(0, -1).replace(TRAILING, '')
  return link
}

function isBalanced(link: string): boolean {
  const count = (bracket: string) => link.split(bracket).length
  return count('(') === count(')') && count('[') === count(']') && count('{') === count('}')
}
