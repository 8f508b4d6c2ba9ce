// The keyboard shortcuts. The listener and the list of shortcuts both read this table.

export type Where = 'Anywhere' | 'Go to' | 'In a channel'
export type Shortcut = {
  where: Where
  /** Pressed in this order. `Mod` is Command on a Mac, Control elsewhere. */
  keys: string[]
  words: string
  owner?: boolean
}

export const SHORTCUTS = {
  palette: { where: 'Anywhere', keys: ['Mod+K'], words: 'Search channels, pages and actions' },
  search: { where: 'Anywhere', keys: ['/'], words: 'Search on this page, or everywhere' },
  help: { where: 'Anywhere', keys: ['?'], words: 'Show the keyboard shortcuts' },
  leave: { where: 'Anywhere', keys: ['Esc'], words: 'Close a dialog, or leave a field' },
  home: { where: 'Go to', keys: ['g', 'h'], words: 'Home' },
  keys: { where: 'Go to', keys: ['g', 'k'], words: 'API keys', owner: true },
  usage: { where: 'Go to', keys: ['g', 'u'], words: 'Usage', owner: true },
  next: { where: 'In a channel', keys: ['j'], words: 'Next card' },
  previous: { where: 'In a channel', keys: ['k'], words: 'Previous card' },
  /** On a focused card; card-focus.ts listens for it. */
  controls: { where: 'In a channel', keys: ['Enter'], words: 'First field or button of the card' },
  needsYou: { where: 'In a channel', keys: ['n'], words: 'Next card that needs you' },
  newest: { where: 'In a channel', keys: ['.'], words: 'Newest card' },
  reply: { where: 'In a channel', keys: ['r'], words: 'Write a reply' },
} as const satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof SHORTCUTS

/** The Latin letter of a key pressed with Control or Command, on a keyboard of any script. */
export function letterOf({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase()
}

export function keyWords(key: string): string {
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  return key.replace('Mod+', mac ? '⌘ ' : 'Ctrl ')
}
