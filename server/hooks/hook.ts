// What becomes of a coding agent's hook: a question on a card, or an answer at once. Pure: server/routes/hooks.ts stores the card
// and waits.
import { z } from 'zod'
import type { newBlock } from '../../shared/block.ts'
import { createCardBody } from '../../shared/card.ts'
import type { FullDecision, NewDecision } from '../../shared/decision.ts'
import { REQUIRED } from '../../shared/invalid.ts'

const ID_MAX = 100

/** `wait_s`: the deadline. `remember`: offer to allow such calls always. */
export type HookOptions = { wait_s: number; who: NewDecision['who']; remember: boolean }

/** The choice, and what else the person entered. */
export type HookOutcome = Pick<
  NonNullable<FullDecision['outcome']>,
  'button_id' | 'by' | 'comment' | 'values'
>

export type HookCard = z.output<typeof createCardBody>

/** `answer`: in the host's form. Its outcome is null if nobody decided, for whatever reason. */
export type HookPlan =
  | { kind: 'ask'; call: ToolCall; card: HookCard; answer: (outcome: HookOutcome | null) => object }
  | { kind: 'answer'; answer: object }

/** `title`: on cards. */
export type HostName = { name: 'claude-code' | 'codex' | 'gemini-cli'; title: string }

/** `wait_s`: a little less than the host's own timeout. `plan` throws `Invalid` for a malformed request. */
export type HookHost = HostName & {
  wait_s: number
  plan: (body: object, options: HookOptions) => HookPlan
}

export const hookEvent = z.object({ hook_event_name: z.string() })

const someText = z.string().min(1, REQUIRED)

/** The fields of a hook about a tool. Others, such as `transcript_path`, are neither stored nor shown. */
export const toolCall = z.object({
  session_id: someText,
  cwd: z.string(),
  tool_name: someText,
  tool_input: z.unknown().refine(input => input !== undefined, REQUIRED),
  tool_use_id: z.string().nullish(),
  agent_type: z.string().nullish(),
})
export type ToolCall = z.output<typeof toolCall>

/** As it is sent: without what has a default. */
export type HookBlock = z.input<typeof newBlock>

/** `approves`: the button that lets the agent go ahead; null if none does. */
export type Choices = {
  buttons: Extract<HookBlock, { type: 'button' }>['buttons']
  approves: string | null
}

/** Null if a text is too long for a block. The key of the question belongs to one call, so one press never allows two. */
export function hookCard(
  host: HostName,
  call: ToolCall,
  blocks: HookBlock[],
  { buttons, approves }: Choices,
  { wait_s, who }: HookOptions,
): HookCard | null {
  const { tool_use_id } = call
  const decision = {
    key: tool_use_id ? `${sessionKey(host, call)}/${idPart(tool_use_id)}` : null,
    approves,
    if_changed: 'refuse',
    abandon: 'cancel',
    agents: false,
    expires_in: wait_s,
    who,
  } as const
  const parsed = createCardBody.safeParse({
    status: 'pending',
    blocks: [...blocks, { type: 'button', id: 'ask', buttons, decision }],
  })
  return parsed.success ? parsed.data : null
}

/** The beginning of the keys of its cards and questions. */
export const sessionKey = ({ name }: HostName, { session_id }: ToolCall) => `${name}/${idPart(session_id)}`

/** A host's id may be long. */
const idPart = (id: string) => [...id].slice(0, ID_MAX).join('')
