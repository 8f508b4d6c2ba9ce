// Offers what Claude Code suggests to allow from now on, in plain words. Only suggestions that can be said whole are offered.
import { z } from 'zod'
import { charCount } from '../../shared/characters.ts'
import type { HookBlock, HookOutcome } from './hook.ts'
import { shownLine } from './shown-call.ts'

const OFFERED_MAX = 5
const WORDS_MAX = 200
const ONCE = 'once'

const DESTINATIONS = {
  session: 'this session',
  localSettings: 'this project, only on this machine',
  projectSettings: 'this project, for everybody who works on it',
  userSettings: 'all my projects on this machine',
}
const destination = z.enum(['session', 'localSettings', 'projectSettings', 'userSettings'])

/** Strict: a field that the words don't mention could allow more than they say. */
const suggestion = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('addRules'),
    rules: z.array(z.strictObject({ toolName: z.string(), ruleContent: z.string().optional() })).min(1),
    behavior: z.literal('allow'),
    destination,
  }),
  z.strictObject({ type: z.literal('addDirectories'), directories: z.array(z.string()).min(1), destination }),
  z.strictObject({ type: z.literal('setMode'), mode: z.literal('acceptEdits'), destination }),
])

/** `suggestion`: exactly as the host sent it. */
export type Remembered = { value: string; label: string; suggestion: unknown }

export function offersOf(suggestions: readonly unknown[]): Remembered[] {
  return suggestions
    .flatMap(sent => {
      const label = wordsOf(sent)
      return label === null ? [] : { label, suggestion: sent }
    })
    .slice(0, OFFERED_MAX)
    .map((offer, i) => ({ ...offer, value: `suggestion-${i}` }))
}

/** No block if there is nothing to offer. */
export function rememberSelect(offers: Remembered[]): HookBlock[] {
  if (offers.length === 0) return []
  const options = [
    { value: ONCE, label: 'Only this time' },
    ...offers.map(({ value, label }) => ({ value, label })),
  ]
  return [{ type: 'select', id: 'remember', label: 'Remember', options, value: ONCE }]
}

/** What goes with `allow`: nothing, unless the person chose an offer. */
export function grantedBy(offers: Remembered[], outcome: HookOutcome | null): object {
  const chosen = offers.find(({ value }) => value === outcome?.values.remember)
  return chosen ? { updatedPermissions: [chosen.suggestion] } : {}
}

function wordsOf(sent: unknown): string | null {
  const parsed = suggestion.safeParse(sent)
  if (!parsed.success) return null
  const { text, hidden } = shownLine(
    `${permissionOf(parsed.data)} · ${DESTINATIONS[parsed.data.destination]}`,
  )
  return hidden || charCount(text) > WORDS_MAX ? null : text
}

function permissionOf(allowed: z.output<typeof suggestion>): string {
  switch (allowed.type) {
    case 'addRules':
      return `Always allow ${allowed.rules.map(ruleOf).join(', ')}`
    case 'addDirectories':
      return `Always allow work in ${allowed.directories.join(', ')}`
    case 'setMode':
      return 'Always allow edits'
  }
}

const ruleOf = ({ toolName, ruleContent }: { toolName: string; ruleContent?: string | undefined }) =>
  ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
