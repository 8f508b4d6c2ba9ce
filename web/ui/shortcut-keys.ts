// The keyboard shortcuts. Both the listener and the list of shortcuts read this table, so they can't differ.

export type Where = 'Anywhere' | 'Go to' | 'In a channel'
export type Shortcut = {
  where: Where
  /** Pressed one after the other. `Mod` is Command on a Mac, Control elsewhere. */
  keys: string[]
  words: string
  /** Listed only for people who are signed in. */
  owner?: boolean
}

export const SHORTCUTS = {
  palette: { where: 'Anywhere', keys: ['Mod+K'], words: 'Search channels, pages and actions' },
  search: { where: 'Anywhere', keys: ['/'], words: 'Search on this page, or everywhere' },
  help: { where: 'Anywhere', keys: ['?'], words: 'Show the keyboard shortcuts' },
  leave: { where: 'Anywhere', keys: ['Esc'], words: 'Close what is open, or leave a field' },
  home: { where: 'Go to', keys: ['g', 'h'], words: 'Home' },
  keys: { where: 'Go to', keys: ['g', 'k'], words: 'API keys', owner: true },
  usage: { where: 'Go to', keys: ['g', 'u'], words: 'Usage', owner: true },
  next: { where: 'In a channel', keys: ['j'], words: 'Next card' },
  previous: { where: 'In a channel', keys: ['k'], words: 'Previous card' },
  newest: { where: 'In a channel', keys: ['.'], words: 'Newest card' },
  reply: { where: 'In a channel', keys: ['r'], words: 'Write a reply' },
} as const satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof SHORTCUTS

/** The Latin letter of a key pressed with Control or Command, on a keyboard of any script. */
export function letterOf({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase()
}

/** A key as this keyboard labels it. */
export function keyWords(key: string): string {
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  return key.replace('Mod+', mac ? '⌘ ' : 'Ctrl ')
}
