// Finds the http and https links in plain text, without the punctuation that ends a sentence. Characters that change the
// direction of writing end a link, because they could make its address look like another one.

type TextPart = { text: string; href: string | null }

const LINK = /https?:\/\/[^\s<>"'`\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gi
const TRAILING = '.,:;!?…*_~'
const BRACKETS = ['()', '[]', '{}']

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

/** Removes trailing punctuation and brackets that the link doesn't open. Takes linear time. */
function trimLink(raw: string): string {
  const brackets = BRACKETS.map(([open = '', close = '']) => ({
    close,
    unopened: count(raw, close) - count(raw, open),
  }))
  let end = raw.length
  for (;;) {
    const last = raw.charAt(end - 1)
    const bracket = brackets.find(({ close }) => close === last)
    if (bracket && brackets.some(({ unopened }) => unopened !== 0)) bracket.unopened--
    else if (!TRAILING.includes(last)) return raw.slice(0, end)
    end--
  }
}

const count = (text: string, character: string) => text.split(character).length - 1
