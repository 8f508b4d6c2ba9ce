// The card that the preview shows: the last valid version of each block, and its questions as viewers would see them.
import { type Block, type NewBlock, newBlock } from '../../shared/block.ts'
import { type Card, type CardStatus, cardStatus } from '../../shared/card.ts'
import type { Decision, NewDecision } from '../../shared/decision.ts'
import { isQuestionBlock } from '../../shared/decision-rules.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { asList, blocksOf, freeId, getIn } from './card-value.ts'
import { type Deciders, PREVIEW } from './preview-viewer.ts'

export type PreviewCard = {
  status: CardStatus
  blocks: Block[]
  /** How many blocks have errors. `blocks` has their last valid versions. */
  wrong: number
  /** How many of them were never valid and are left out. */
  missing: number
  /** Whom the waiting questions ask, without those that anyone may decide. */
  asked: Deciders[]
}

type Previewed = { block: Block; asked: Deciders[] }

/** The returned function remembers the last valid version of each block, by its key. */
export function makePreviewCards() {
  const lastValid = new Map<number, Previewed>()

  return (value: unknown, keys: readonly number[], stored?: Card | null): PreviewCard => {
    const questions = (stored?.blocks ?? []).flatMap(questionOf)
    const ids = new Set<unknown>()
    const buttonIds: string[] = []
    let wrong = 0
    let missing = 0
    const previewed = blocksOf(value).flatMap((given, i) => {
      const key = keys[i] ?? i
      const result = newBlock.safeParse(withIds(given, key, ids, buttonIds))
      if (result.success) lastValid.set(key, previewOf(result.data, questions, Date.now()))
      else wrong++
      const valid = lastValid.get(key)
      if (valid) ids.add(valid.block.id)
      else missing++
      return valid ?? []
    })
    const status = cardStatus.safeParse(getIn(value, ['status']) ?? 'default')
    return {
      status: status.success ? status.data : 'default',
      blocks: previewed.map(({ block }) => block),
      asked: previewed.flatMap(({ asked }) => asked),
      wrong,
      missing,
    }
  }
}

const questionOf = (block: Block): Decision[] => (isQuestionBlock(block) ? [block.decision] : [])

/** Replaces missing and repeated ids, always by the same ids: the components identify blocks by them. */
function withIds(given: unknown, key: number, ids: Set<unknown>, buttonIds: string[]): unknown {
  if (!isJsonObject(given)) return given
  const id = given.id === undefined || ids.has(given.id) ? `${PREVIEW}-${key}` : given.id
  if (given.type !== 'button') return { ...given, id }
  const buttons = asList(given.buttons).map((button, i) => {
    if (!isJsonObject(button)) return button
    const wish = typeof button.id === 'string' && button.id !== '' ? button.id : `${PREVIEW}-${key}-${i}`
    const free = freeId(wish, buttonIds)
    buttonIds.push(free)
    return { ...button, id: free }
  })
  return { ...given, id, ...(Array.isArray(given.buttons) && { buttons }) }
}

/** `stored`: the questions of the stored card. Those that have ended show how, until they are asked again. */
function previewOf(block: NewBlock, stored: Decision[], now: number): Previewed {
  if (block.type !== 'button') return { block, asked: [] }
  const { decision: settings, ...plain } = block
  if (!settings) return { block: plain, asked: [] }
  const ended = stored.find(({ id, state }) => id === settings.id && state !== 'waiting')
  if (ended && !settings.reopen) return { block: { ...plain, decision: ended }, asked: [] }
  const { who = 'anyone' } = settings
  const asked = who === 'anyone' ? [] : [who]
  return { block: { ...plain, decision: waitingQuestion(settings, now) }, asked }
}

function waitingQuestion(settings: NewDecision, now: number): Decision {
  const { expires_in, expires_at = null, who = 'anyone' } = settings
  const deadline =
    typeof expires_in === 'number' ? new Date(now + expires_in * 1_000).toISOString() : expires_at
  return {
    id: PREVIEW,
    key: settings.key ?? null,
    state: 'waiting',
    asked_at: new Date(now).toISOString(),
    expires_at: deadline,
    who: Array.isArray(who) ? 'listed' : who,
    agents: settings.agents ?? false,
    comment: settings.comment ?? 'none',
    if_changed: settings.if_changed ?? 'accept',
    approves: settings.approves ?? null,
    abandon: settings.abandon ?? 'keep',
    ended_at: null,
    reason: null,
    outcome: null,
  }
}
