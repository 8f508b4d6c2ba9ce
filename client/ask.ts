// Asks a question on a card, and waits for the answer.
import type { z } from 'zod'
import type { newBlock } from '../shared/block.ts'
import type { button } from '../shared/blocks/button.ts'
import type { CardStatus, CardWithDecisions } from '../shared/card.ts'
import { newUuid } from '../shared/characters.ts'
import type { newDecision } from '../shared/decision.ts'
import type { FormBlock } from '../shared/form-block.ts'
import { invalidInput, type Requester, segment } from './requester.ts'
import { earlierAnswer } from './reuse.ts'
import { type AskAnswer, nameQuestion, type WaitOptions, waitForAnswer } from './wait.ts'

type SentBlock = z.input<typeof newBlock>
type SentButton = z.input<typeof button>

/** A string is both the label and the id. */
export type AskChoice = string | (Omit<Partial<SentButton>, 'id' | 'disabled'> & { id: string })

export type AskOptions<C extends readonly AskChoice[] = readonly AskChoice[]> = WaitOptions &
  Pick<
    z.input<typeof newDecision>,
    'key' | 'expires_in' | 'expires_at' | 'who' | 'comment' | 'agents' | 'abandon'
  > &
  (
    | { question: string; blocks?: undefined }
    /** Shown instead of `question`, `details` and `fields`. */
    | { question?: string; blocks: SentBlock[] }
  ) & {
    details?: string
    /** 1 to 10. Only the first one approves. Default: `Approve`, `Reject`. */
    choices?: C
    /** Blocks that the person fills in. The answer has their `values`. */
    fields?: Extract<SentBlock, { type: FormBlock['type'] }>[]
    /** `null`: not even the first choice approves. */
    approves?: null
    status?: CardStatus
    /** With a `key`: accepts a decision about the same question that was made in so many last seconds. Default: asks again. */
    reuse_for?: number
    /** Is called when the question is on the screen. */
    onAsked?: (question: { handle: string; url: string; card_id: string }) => void
  }

/** The ids that a person may choose from. */
export type ChoiceId<C extends readonly AskChoice[]> = C[number] extends infer One
  ? One extends string
    ? One
    : One extends { id: infer Id extends string }
      ? Id
      : never
  : never

const CHOICES_MAX = 10
/** How long an abort may take because the question is withdrawn. */
const WITHDRAWAL_MS = 5_000

export const DEFAULT_CHOICES = [
  { id: 'Approve', style: 'primary' },
  { id: 'Reject', style: 'danger' },
] as const satisfies AskChoice[]

/** Resolves if the question is decided, and throws in every other case. */
export async function ask(requester: Requester, channel_id: string, options: AskOptions): Promise<AskAnswer> {
  const { signal, abandon, reuse_for, onAsked } = options
  signal?.throwIfAborted()
  const card = cardOf(options)
  if (reuse_for !== undefined) {
    const { key } = options
    const asked = { key, reuse_for, blocks: card.blocks, decision: card.decision }
    const earlier = await earlierAnswer(requester, channel_id, asked, signal)
    if (earlier) return earlier
  }
  // Otherwise an abort while the card is on its way could leave a question that nobody can withdraw.
  const uninterrupted = abandon === 'cancel'
  const created = await requester.request<CardWithDecisions>(
    'POST',
    `/channels/${segment(channel_id)}/cards`,
    { status: card.status, blocks: card.blocks },
    { idempotency_key: newUuid(), signal: uninterrupted ? undefined : signal },
  )
  const [question] = created.decisions
  if (!question) throw new Error('the card has no question')
  const name = nameQuestion(channel_id, question.id)
  onAsked?.({ handle: name.handle, url: question.url, card_id: created.id })
  try {
    const answer = await waitForAnswer(requester, name, options, true)
    // Another automation may have changed `approves` on the card.
    return { ...answer, approved: answer.approved && answer.choice === card.decision.approves }
  } catch (error) {
    // Others may wait for a question that was joined. If nobody does, the service closes it.
    if (signal?.aborted && abandon === 'cancel' && !created.joined)
      await requester
        .request('DELETE', name.path, undefined, { retries: 0, timeout: WITHDRAWAL_MS })
        // It may be decided. If the service is away, it closes the question when it is back.
        .catch(() => {})
    throw error
  }
}

const QUESTION_BLOCK = 'question'
const DETAILS_BLOCK = 'details'
const BUTTON_BLOCK = 'ask'

function cardOf(options: AskOptions) {
  const { question, details, fields = [], blocks, status = 'pending' } = options
  if (!question && !blocks) throw invalidInput('question', 'is required')
  const shown: SentBlock[] = blocks ?? [
    { type: 'text', id: QUESTION_BLOCK, content: question ?? '', size: 'lg', bold: true },
    ...(details === undefined ? [] : [{ type: 'text' as const, id: DETAILS_BLOCK, content: details }]),
    ...fields,
  ]
  const block = buttonBlockOf(options)
  return { status, blocks: [...shown, block], decision: block.decision }
}

function buttonBlockOf({ choices = DEFAULT_CHOICES, ...options }: AskOptions) {
  const buttons = choices.map(buttonOf)
  const [first] = buttons
  if (!first || buttons.length > CHOICES_MAX)
    throw invalidInput('choices', `must have 1 to ${CHOICES_MAX} items`)
  const { key, expires_in, expires_at, who, comment, agents, abandon } = options
  const settings = { key, expires_in, expires_at, who, comment, agents, abandon }
  const decision = {
    ...settings,
    if_changed: 'refuse' as const,
    approves: options.approves === null ? null : first.id,
  }
  return { type: 'button' as const, id: BUTTON_BLOCK, buttons, decision }
}

function buttonOf(choice: AskChoice, index: number): SentButton & { id: string } {
  const { id, label = id, style, ...rest } = typeof choice === 'string' ? { id: choice } : choice
  return { ...rest, id, label, style: style ?? (index === 0 ? 'primary' : 'secondary') }
}
