// What a card shows of a tool call: where it happens, its arguments, and what the agent says about it.
import { charCount } from '../../shared/characters.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import {
  HIDDEN_CHARACTERS,
  type ShownText,
  shownJson,
  shownText,
  tooLongToShow,
} from '../../shared/shown-arguments.ts'
import type { HookBlock, ToolCall } from './hook.ts'

/** Fields that stand on their own, in this order. The rest of the input is one piece of JSON. */
const OWN_FIELDS = new Map([
  ['Bash', ['command']],
  ['PowerShell', ['command']],
  ['Write', ['file_path', 'content']],
  ['Edit', ['file_path', 'old_string', 'new_string']],
  ['ExitPlanMode', ['plan']],
])
/** Tools whose `description` is no argument, but the agent's words about the call. */
const DESCRIBED = ['Bash', 'PowerShell']

/** A notification that shows the whole question has buttons. It has room for this much. */
const LOCK_SCREEN = { characters: 80, lines: 2 }

export type ShownCall = { blocks: HookBlock[]; reason: null } | { blocks: null; reason: string }

/** `has_inputs`: the card has fields to fill in, so a notification has no buttons. */
export function shownCall(host: string, call: ToolCall, has_inputs: boolean): ShownCall {
  if (hasInexactNumber(call.tool_input)) return { blocks: null, reason: 'A number is too long to show' }
  const { parts, says } = partsOf(call)
  const reason = tooLongToShow(parts.map(({ text }) => text))
  if (reason !== null) return { blocks: null, reason }
  const title = titleOfCall(host, call)
  const words = says === null ? null : shownText(says)
  const is_short = !has_inputs && isShort([title, ...parts].map(({ text }) => text))
  const said = words !== null && !is_short ? words : null
  const blocks = [
    paragraph('title', title.text),
    ...hiddenBadge([title, ...parts, ...(said ? [said] : [])]),
    ...parts.map(({ text }, i) => paragraph(`argument-${i}`, text)),
    ...(said ? [paragraph('description', `It says: ${said.text}`)] : []),
  ]
  return { blocks, reason: null }
}

/** `Claude Code a1b2 · Bash in /home/ann/shop`, in a subagent with its type after the session. */
export function titleOfCall(host: string, { session_id, tool_name, cwd, agent_type }: ToolCall): ShownText {
  const session = [...session_id].slice(0, 4).join('')
  const agent = agent_type ? ` · ${agent_type}` : ''
  return shownLine(`${host} ${session}${agent} · ${tool_name} in ${cwd}`)
}

/** Text on one line: a newline would look like the end of a title or label. */
export function shownLine(line: string): ShownText {
  const { text, hidden } = shownText(line)
  const shown = text.replaceAll('\n', '\\u{A}').replaceAll('\t', '\\u{9}')
  return { text: shown, hidden: hidden || shown !== text }
}

export const paragraph = (id: string, content: string): HookBlock => ({ type: 'text', id, content })

export const hiddenBadge = (texts: ShownText[]): HookBlock[] =>
  texts.some(({ hidden }) => hidden)
    ? [{ type: 'badge', id: 'hidden', label: HIDDEN_CHARACTERS, variant: 'warning' }]
    : []

/** Whether a number of the request may have lost digits when it was parsed: the card would show another one. */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber)
}

function partsOf({ tool_name, tool_input }: ToolCall): { parts: ShownText[]; says: string | null } {
  if (!isJsonObject(tool_input)) return { parts: [shownJson(tool_input)], says: null }
  const rest = new Map(Object.entries(tool_input))
  const says = DESCRIBED.includes(tool_name) ? takeDescription(rest) : null
  const parts: ShownText[] = []
  for (const name of OWN_FIELDS.get(tool_name) ?? []) {
    const value = rest.get(name)
    // An empty text would be invisible. As JSON, it is not.
    if (typeof value !== 'string' || value === '') continue
    rest.delete(name)
    parts.push(shownText(value))
  }
  if (rest.size > 0 || parts.length === 0) parts.push(shownJson(Object.fromEntries(rest)))
  return { parts, says }
}

/** Null if there is none, which some hosts send as an empty text or null. */
function takeDescription(rest: Map<string, unknown>): string | null {
  const said = rest.get('description')
  if (typeof said !== 'string' && said !== null) return null
  rest.delete('description')
  return said === '' ? null : said
}

function isShort(texts: string[]): boolean {
  const all = texts.join('\n')
  return charCount(all) <= LOCK_SCREEN.characters && all.split('\n').length <= LOCK_SCREEN.lines
}
