// The kit's Caddyfile in a real Caddy, before three servers that record what reaches them: which instance gets a write.
// test/lab/faults/roll.test.ts restarts real instances behind it.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { hasCaddy, startCaddy } from '../support/caddy.ts'
import { mountedRoutes } from '../support/mounted-routes.ts'
import { startRecorder } from '../support/recorder.ts'
import { runService } from '../support/running.ts'
import { until } from '../support/viewer.ts'

/** The writes of one channel, below `/api/v1/channels/:channelId` or `/api/channels/:channelId`. */
const WRITES = [
  ['POST', '/api/v1', '/cards'],
  ['PUT', '/api/v1', '/cards/by-key/build'],
  ['PATCH', '/api/v1', '/cards/some-card'],
  ['DELETE', '/api/v1', '/cards/some-card'],
  ['PATCH', '/api/v1', ''],
  ['POST', '/api', '/interactions'],
] as const

const channels = Array.from({ length: 60 }, () => randomUUID())

describe.skipIf(!hasCaddy)('the balancer of the kit', async () => {
  const recorders = await Promise.all([startRecorder(), startRecorder(), startRecorder()])
  const balancer = await startCaddy(recorders.map(({ url }) => url))
  afterAll(async () => {
    await balancer.stop()
    await Promise.all(recorders.map(recorder => recorder.stop()))
  })

  /** Which recorder answers. */
  async function send(method: string, path: string): Promise<number> {
    const response = await fetch(balancer.url + path, { method })
    expect([path, response.status]).toEqual([path, 200])
    const name = await response.text()
    return recorders.findIndex(recorder => recorder.name === name)
  }

  const post = (channel: string) => send('POST', `/api/v1/channels/${channel}/cards?write=${randomUUID()}`)
  const postToAll = () => Promise.all(channels.map(post))

  test('all writes of a channel reach one instance', async () => {
    for (const channel of channels.slice(0, 5)) {
      const reached = await Promise.all(
        WRITES.map(([method, api, rest]) => send(method, `${api}/channels/${channel}${rest}`)),
      )
      expect([channel, new Set(reached).size]).toEqual([channel, 1])
    }
  })

  test('each instance gets a share of the channels', async () => {
    const reached = await postToAll()
    for (const i of recorders.keys()) expect(reached.filter(at => at === i).length).toBeGreaterThan(5)
  })

  test('a caller’s own X-Channel changes nothing', async () => {
    const [channel = ''] = channels
    const path = `${balancer.url}/api/v1/channels/${channel}/cards`
    const names = await Promise.all(
      channels.map(async other =>
        (await fetch(path, { method: 'POST', headers: { 'X-Channel': other } })).text(),
      ),
    )
    expect(new Set(names).size).toBe(1)
  })

  test('a write with an id that no channel can have reaches the service', async () => {
    for (const id of ['%0A', 'a%0D%0Ab', 'ä', '%00', '.']) await send('POST', `/api/v1/channels/${id}/cards`)
  })

  test('the public keys of signed decisions come from the service', async () => {
    expect(await send('GET', '/.well-known/jwks.json')).not.toBe(-1)
  })

  test.each([
    ['reads', (url: string) => request('GET', `${url}/api/v1/channels/${channels[0]}/cards`)],
    ['event streams', (url: string) => request('GET', `${url}/api/v1/channels/${channels[0]}/events`)],
    ['sockets', (url: string) => connect(`${url}/sync/${channels[0]}`)],
    ['writes that concern no channel', (url: string) => request('POST', `${url}/api/workspaces`)],
  ])('%s go to the instance with the fewest', async (_, open) => {
    for (const recorder of recorders) recorder.hold()
    onTestFinished(() => {
      for (const recorder of recorders) recorder.release()
    })
    const held = () => recorders.map(recorder => recorder.held())
    for (let count = 1; count <= 9; count++) {
      open(balancer.url)
      await until(() => held().reduce((sum, some) => sum + some, 0) === count, `request ${count} arrives`)
    }
    expect(held()).toEqual([3, 3, 3])
  })

  test('in a rolling restart only the channels of the instance that left move, come back, and lose no write', async () => {
    const before = await postToAll()
    for (const [i, recorder] of recorders.entries()) {
      recorder.ready = false
      await until(async () => !(await postToAll()).includes(i), 'its channels have moved')
      await recorder.stop()
      const meanwhile = await postToAll()
      expect(meanwhile.filter((at, c) => at !== before[c] && before[c] !== i)).toEqual([])
      await recorder.start()
      recorder.ready = true
      await until(async () => (await postToAll()).includes(i), 'it is used again')
      expect(await postToAll()).toEqual(before)
    }
    const seen = recorders.flatMap(({ requests }) => requests.filter(path => path.includes('?write=')))
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('a write whose instance has died is sent to another one', async () => {
    const before = await postToAll()
    const [first] = recorders
    await first.stop()
    const meanwhile = await postToAll()
    expect(meanwhile).not.toContain(0)
    expect(meanwhile.filter((at, c) => at !== before[c] && before[c] !== 0)).toEqual([])
    await first.start()
    await until(async () => (await postToAll()).includes(0), 'it is used again')
  })
})

/** Opened and left: nobody waits for the response. */
function request(method: string, url: string): void {
  fetch(url, { method }).catch(() => {})
}

function connect(url: string): void {
  const socket = new WebSocket(url.replace('http', 'ws'))
  socket.on('error', () => {})
}

test('every route that writes a channel begins as the Caddyfile expects', async () => {
  const routes = mountedRoutes(await runService())
  const writes = routes.filter(({ method, path }) => method !== 'GET' && path.includes(':channelId'))
  expect(writes.length).toBeGreaterThan(20)
  for (const { method, path } of writes)
    expect(`${method} ${path}`).toMatch(/^(POST|PUT|PATCH|DELETE) \/api(\/v1)?\/channels\/:channelId/)
})
