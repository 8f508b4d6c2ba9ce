// Another owner's channel is full of cards near the size limit. They are patched again and again. Meanwhile clients ask
// for its page, but don't read the response. Other owners may not notice.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createAccount } from '../../support/account.ts'
import { createChannel } from '../../support/channels.ts'
import { blocksOf } from '../../support/large-cards.ts'
import { create } from '../../support/service.ts'
import { holdsWithin } from '../wait.ts'
import { type Begin, type Bound, instanceOf, watchFor } from './nemesis.ts'

const CARDS = 30
const CARD_BYTES = 250_000
/** Clients that ask for the page. */
const READERS = 40
const PATCH_EVERY_MS = 100
/** A receiver may have 64 MiB of responses that it hasn't read. What readers share counts once. */
const TOO_MANY = 429
/** Until all have the begin of their answer. Patches come later, because readers of one version share it. */
const ANSWERED_MS = 15_000
/** A shared copy of 7 MB, and the changes of the cards, took 22 MB, and 45 MB on a busy machine. */
const GROWTH_MAX_MB = 150

export const neighbour: Begin<'neighbour'> = async (stage, fault) => {
  const { url, process, name } = instanceOf(stage, fault)
  const account = await createAccount({ url })
  await account.session('PATCH', `/workspaces/${account.workspace_id}`, { visibility: 'public' })
  const channel_id = await createChannel(account, { name: 'Neighbour' })
  const cards = `/channels/${channel_id}/cards`
  const ids: string[] = []
  const blocks = blocksOf(CARD_BYTES)
  for (let i = 0; i < CARDS; i++) ids.push((await create(account.key, cards, { blocks })).id)
  const before = memoryOf(process().pid)
  const stopMeasuring = watchFor(PATCH_EVERY_MS, async () => [memoryOf(process().pid)])
  const readers = Array.from({ length: READERS }, () =>
    readNothing(url, `/api/channels/${channel_id}/pages/0`),
  )
  await holdsWithin(ANSWERED_MS, () => readers.every(({ status }) => status() !== null))
  let patched = 0
  const stopPatching = watchFor(PATCH_EVERY_MS, async () => {
    const patch = { append_rows: [{ key: String(patched), value: '' }] }
    const { status } = await account.key('PATCH', `${cards}/${ids[patched % CARDS]}`, {
      blocks: [{ id: 'kv', patch }],
    })
    if (status === 200) patched++
    return []
  })
  let growth = 0
  let waiting = 0
  let refused = 0
  return {
    async end() {
      await stopPatching()
      growth = Math.max(0, ...(await stopMeasuring())) - before
      waiting = readers.filter(({ status }) => status() === 200).length
      refused = readers.filter(({ status }) => status() === TOO_MANY).length
      for (const { end } of readers) end()
    },
    evidence: () =>
      patched > 0 && waiting > 0
        ? `${patched} changes of large cards, ${waiting} readers that don't read their answer, ${Math.round(growth)} MB more memory`
        : null,
    bounds: (): Bound[] => [
      {
        promise: 'P15',
        what: `${name} grows by ${Math.round(growth)} MB for readers of large cards, and may by ${GROWTH_MAX_MB} MB`,
        took_ms: growth > GROWTH_MAX_MB ? null : 0,
        limit_ms: 0,
      },
      {
        promise: 'P15',
        what: `all ${READERS} readers of one page get its shared copy, and ${refused} were refused`,
        took_ms: refused > 0 ? null : 0,
        limit_ms: 0,
      },
    ],
  }
}

/** Asks, and stops reading at the first bytes. */
function readNothing(url: string, path: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let status: number | null = null
  socket.on('error', () => {})
  socket.once('data', bytes => {
    status = Number(/^HTTP\/1.1 (\d+)/.exec(bytes.toString('latin1'))?.[1])
    socket.pause()
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  return { status: () => status, end: () => socket.destroy() }
}

/** In MB. */
function memoryOf(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}
