// Posters: each carries out its operations one after the other, as requests would, and records the answers.
import { randomUUID } from 'node:crypto'
import { asApiError } from '../../../server/errors.ts'
import type { Mutation, Outcome } from '../../../server/feed/turn/mutation.ts'
import type { MutationRequest } from '../../../server/feed/turn/mutation-queue.ts'
import { createCardBody, patchCardBody } from '../../../shared/card.ts'
import type { Answer } from '../load/request.ts'
import { blocksOf, newContents, patchOf } from '../model/cards.ts'
import { type Refused, refusedBody } from '../model/refusals.ts'
import type { Write } from '../model/world.ts'
import type { Instance } from './instance.ts'
import type { Operation } from './plan.ts'
import { instanceAt, type Scene } from './scene.ts'

export async function post(scene: Scene, poster: number, operations: Operation[]): Promise<void> {
  for (const [n, operation] of operations.entries()) {
    const op = `${poster}.${n}`
    await scene.steps.point(`poster ${poster} sends ${operation.kind}`)
    const instance = instanceAt(scene, operation.instance)
    if (operation.kind === 'head') {
      await changeHead(scene, instance, op)
      continue
    }
    const write = writeOf(scene, op, operation)
    if (write) await attempt(scene, instance, write)
  }
}

type Asked = Write | Refused

/** Null if no card is known. */
function writeOf(
  { cards }: Scene,
  op: string,
  operation: Exclude<Operation, { kind: 'head' }>,
): Asked | null {
  if (operation.kind === 'post') return { kind: 'post', op, status: operation.status }
  if (operation.kind === 'put') return { kind: 'put', op, key: operation.key }
  const card_id = cards[operation.card % cards.length]
  if (card_id === undefined) return null
  if (operation.kind === 'refused') return { kind: 'refused', how: 'unknown block', op, card_id }
  if (operation.kind === 'delete') return { kind: 'delete', op, card_id }
  const { status, note } = operation
  return { kind: 'patch', op, card_id, ...(note && { fields: ['note'] }), ...(status && { status }) }
}

async function attempt(scene: Scene, instance: Instance, request: Asked): Promise<void> {
  const { tried, channel_id, tick, steps } = scene
  const begin = tick()
  const answer = await send(scene, instance, { mutation: mutationOf(request) })
  const error = answer ? null : 'the instance crashed'
  tried.push({ request, channel_id, instance: 0, begin, end: tick(), answer, error })
  steps.trace.push(`  ${request.kind} ${request.op} gets ${answer?.status ?? error}`)
  if (answer) learn(scene, request, answer)
}

async function changeHead(scene: Scene, instance: Instance, op: string): Promise<void> {
  const { heads, channel_id, tick } = scene
  const begin = tick()
  const answer = await send(scene, instance, {
    mutation: { kind: 'head', change: () => ({ description: op }) },
    also: async tx => void (await tx`update channels set description = ${op} where id = ${channel_id}`),
  })
  const end = answer && answer.status < 300 ? tick() : Infinity
  heads.push({ op, begin, end, refused: answer !== null && answer.status >= 300 && answer.status < 500 })
  if (answer?.status === 500) scene.findings.push({ promise: 'P14', message: `head ${op} got 500` })
}

/** Null if the instance crashed meanwhile. */
function send(
  { channel_id, database: { owner_id } }: Scene,
  instance: Instance,
  request: Omit<MutationRequest, 'owner_id'>,
): Promise<Answer | null> {
  const outcome = instance.run(() => instance.feeds.get(channel_id).writer.write({ ...request, owner_id }))
  return Promise.race([outcome.then(answerTo, answerToError), instance.gone])
}

function mutationOf(write: Asked): Mutation {
  const blocks = blocksOf(newContents(write.op))
  switch (write.kind) {
    case 'post':
      return { kind: 'insert', id: randomUUID(), ...createCardBody.parse({ blocks, status: write.status }) }
    case 'put':
      return { kind: 'upsert', id: randomUUID(), key: write.key, ...createCardBody.parse({ blocks }) }
    case 'patch':
      return { kind: 'patch', ref: { id: write.card_id }, body: patchCardBody.parse(patchOf(write)) }
    case 'refused': {
      const id = 'card_id' in write ? write.card_id : ''
      return { kind: 'patch', ref: { id }, body: patchCardBody.parse(refusedBody(write)) }
    }
    case 'delete':
      return { kind: 'delete', ref: { id: write.card_id } }
  }
}

/** What the routes answer. */
function answerTo(outcome: Outcome): Answer {
  const answer = (status: number, body: unknown) => ({ status, body, replayed: false })
  if (outcome.kind === 'deleted') return answer(204, null)
  if (outcome.kind === 'head') return answer(200, null)
  if (!('card' in outcome) || !outcome.card) throw new Error(`a card mutation ended as ${outcome.kind}`)
  const { id, key, status, blocks, created_at, updated_at } = outcome.card
  if (outcome.kind === 'inserted') return answer(201, { id, key, created_at })
  return answer(200, { id, key, status, blocks, updated_at })
}

function answerToError(error: unknown): Answer {
  const { code, status, message } = asApiError(error)
  const words = code === 'internal_error' ? String(error) : message
  return { status, body: { error: words }, replayed: false }
}

function learn({ cards }: Scene, request: Asked, { status, body }: Answer): void {
  if (status === 201 && typeof body === 'object' && body && 'id' in body) cards.push(String(body.id))
  if (request.kind === 'delete' && (status === 204 || status === 404)) {
    const at = cards.indexOf(request.card_id)
    if (at >= 0) cards.splice(at, 1)
  }
}
