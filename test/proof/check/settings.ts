// P1 and P2 for what the log of cards doesn't show: descriptions, webhooks, attributes, header actions and channels. Every
// value names the operation that wrote it.

import { groupBy } from '../group.ts'
import type { Settings } from '../load/ending.ts'
import { byChannel, type Files, type Finding } from './files.ts'
import { isAcknowledged, type Operation, operationsOf } from './operations.ts'

export function checkSettings({ tried, ending }: Files): Finding[] {
  const operations = operationsOf(tried)
  const ofChannel = byChannel(operations)
  const inChannels = ending.flatMap(record => {
    if (record.kind !== 'settings') return []
    const { channel_id, settings } = record
    return checkChannel(channel_id, ofChannel.get(channel_id) ?? [], settings)
  })
  const names = ending.flatMap(record => (record.kind === 'channel' ? [record.name] : []))
  const channels = {
    added: operations.filter(({ request }) => request.kind === 'create channel'),
    removed: removedBy(operations),
  }
  // A run without an ending was cut short.
  return ending.length === 0 ? [] : [...inChannels, ...checkSet('channel', channels, names)]
}

function checkChannel(
  channel_id: string,
  operations: Operation[],
  { description, webhook_url, attributes, action_labels }: Settings,
): Finding[] {
  const written = (wanted: (operation: Operation) => boolean) => operations.filter(wanted)
  const register = (name: string, value: string | null | undefined, writes: Operation[]) =>
    checkRegister(`${name} of channel ${channel_id}`, value ?? null, writes)
  const names = operations.flatMap(({ request }) => (request.kind === 'attribute' ? [request.name] : []))
  return [
    ...register(
      'the description',
      description,
      written(({ request }) => request.kind === 'head'),
    ),
    ...register(
      'the webhook',
      webhook_url,
      written(({ request }) => request.kind === 'webhook'),
    ),
    ...[...new Set([...names, ...Object.keys(attributes)])].flatMap(name =>
      register(
        name,
        attributes[name],
        written(({ request }) => request.kind === 'attribute' && request.name === name),
      ),
    ),
    ...checkSet(
      'header action',
      { added: written(({ request }) => request.kind === 'add action'), removed: removedBy(operations) },
      action_labels,
    ),
  ]
}

/** `value` must be of a write that no acknowledged one follows. */
function checkRegister(name: string, value: string | null, writes: Operation[]): Finding[] {
  const last = writes.find(({ request }) => value?.endsWith(request.op))
  const lost = writes.find(write => isAcknowledged(write) && (!last || write.begin > last.end))
  if (lost) return [{ promise: 'P1', message: `${name} is ${value}, and ${lost.request.op} wrote it later` }]
  if (last?.answer && !isAcknowledged(last))
    return [{ promise: 'P2', message: `${name} is ${value}, which got ${last.answer.status}` }]
  return []
}

type Changes = {
  added: Operation[] /** What each removed → the removals. */
  removed: Map<string, Operation[]>
}

function checkSet(what: string, { added, removed }: Changes, present: string[]): Finding[] {
  return added.flatMap(add => {
    const { op } = add.request
    const count = present.filter(value => value === op).length
    const removals = removed.get(op) ?? []
    const wrong = (promise: string, how: string) => [{ promise, message: `${what} ${op} ${how}` }]
    if (count > 1) return wrong('P2', `exists ${count} times`)
    if (count === 1 && add.answer && !isAcknowledged(add))
      return wrong('P2', `got ${add.answer.status} and exists`)
    if (count === 0 && isAcknowledged(add) && removals.length === 0)
      return wrong('P1', 'was acknowledged and is gone')
    const done = removals.find(removal => isAcknowledged(removal))
    return count === 1 && done ? wrong('P1', `exists, and ${done.request.op} removed it`) : []
  })
}

function removedBy(operations: Operation[]): Map<string, Operation[]> {
  return groupBy(
    operations.filter(({ request }) => request.kind === 'remove action' || request.kind === 'delete channel'),
    ({ request }) =>
      request.kind === 'remove action'
        ? request.label
        : request.kind === 'delete channel'
          ? request.name
          : '',
  )
}
