// `npm run prove:kills [cards]`: 64 clients post cards over 50 channels, 200,000 by default, while the service is killed again
// and again. Then every acknowledged card must exist, and none twice. Too long for `npm test`.
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../../server/database/connect.ts'
import { httpRequest, openHttp } from '../../bench/load/http.ts'
import { pidFileOf } from '../../faults/pid-file.ts'
import { expectRowsMatchDocument } from '../../feed/agreement.ts'
import { withKey } from '../../support/account.ts'
import { createChannel } from '../../support/channels.ts'
import { startServer } from '../../support/server.ts'
import { times } from '../../support/times.ts'

const CHANNELS = 50
const CLIENTS = 64
const KILLS = 6
/** The service is killed when it has acknowledged another share of the cards, at most this much later. */
const KILL_WITHIN_MS = 50

const count = Number(process.argv[2] ?? 200_000)
const server = await startServer({
  DAILY_CARD_LIMIT: '0',
  DAILY_BYTE_LIMIT: '0',
  DAILY_CHANNEL_LIMIT: '0',
  LOG_LEVEL: 'info',
})
try {
  const account = { key: withKey(server.url, server.api_key), workspace_id: server.workspace_id }
  const channels = await times(CHANNELS, () => createChannel(account))
  const { acknowledged, unknown, refused } = await postAll(channels)
  const { missing, doubled, landed } = await compare(channels, acknowledged, unknown)
  console.log(
    `${acknowledged.size} cards acknowledged, ${missing} of them missing, ${doubled} texts twice; ` +
      `${unknown.size} without a response, of which ${landed} were stored; ${refused} responses 503`,
  )
  process.exitCode = missing + doubled === 0 ? 0 : 1
} finally {
  await server.stop()
}

/** Posts until so many cards are acknowledged. `acknowledged`: ids. `unknown`: texts of cards whose connection was cut. */
async function postAll(channels: string[]) {
  const acknowledged = new Set<string>()
  const unknown = new Set<string>()
  let refused = 0
  const port = Number(new URL(server.url).port)
  const post = async (client: number) => {
    let connection = await openHttp(port)
    for (let i = 0; acknowledged.size < count; i++) {
      const content = `client ${client}, card ${i}`
      const path = `/api/v1/channels/${channels[(client + i) % channels.length]}/cards`
      const body = JSON.stringify({ blocks: [{ type: 'text', content }] })
      const request = httpRequest('POST', path, { authorization: `Bearer ${server.api_key}` }, body)
      try {
        const response = await connection.send(request)
        if (response.status === 201) acknowledged.add(JSON.parse(String(response.body)).id)
        else if (response.status === 503) refused++
        else throw new Error(`a POST returned ${response.status}: ${response.body}`)
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('a POST')) throw error
        unknown.add(content)
        connection = await reopen(port)
      }
    }
  }
  await Promise.all([kill(acknowledged), ...Array.from({ length: CLIENTS }, (_, client) => post(client))])
  return { acknowledged, unknown, refused }
}

async function kill(acknowledged: Set<string>): Promise<void> {
  for (let round = 1; round <= KILLS; round++) {
    while (acknowledged.size < (count * round) / (KILLS + 1)) await delay(10)
    await delay(Math.random() * KILL_WITHIN_MS)
    await server.kill()
    await server.restart()
    console.log(`kill ${round} of ${KILLS}, after ${acknowledged.size} cards`)
  }
}

async function reopen(port: number) {
  for (;;) {
    try {
      return await openHttp(port)
    } catch {
      await delay(100)
    }
  }
}

async function compare(channels: string[], acknowledged: Set<string>, unknown: Set<string>) {
  const sql = connect({ socket_dir: pidFileOf(server).socket_dir }, { max: 1 })
  try {
    for (const id of channels) await expectRowsMatchDocument(sql, id)
    const rows = await sql<{ id: string; text: string }[]>`
      select id, blocks -> 0 ->> 'content' as text from cards
      where channel_id in (select unnest(${channels}::uuid[]))`
    const ids = new Set(rows.map(({ id }) => id))
    const texts = new Set(rows.map(({ text }) => text))
    return {
      missing: [...acknowledged].filter(id => !ids.has(id)).length,
      doubled: rows.length - texts.size,
      landed: [...unknown].filter(text => texts.has(text)).length,
    }
  } finally {
    await sql.end()
  }
}
