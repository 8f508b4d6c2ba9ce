// The recipes of docs/agents.md that need no framework to run: each outcome in the words of the framework.
import { createServer, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import { answerNext, type Given, nextQuestion } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { blockIn, blocksOf, hasRequests, readersFolder, runCode } from '../support/page-blocks.ts'
import { listenOn } from '../support/ports.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const folder = readersFolder()

/** A run of code in a channel of its own. */
async function start(language: string, code: string, input: string | null, url = service.url) {
  const channel = await createChannel(ann, { mode: 'interactive' })
  const env = {
    CHANNEL_FEED_URL: url,
    CHANNEL_FEED_KEY: ann.api_key,
    CHANNEL_FEED_CHANNEL: channel,
  }
  return { channel, ...runCode(language, code, { folder, env, input }) }
}

const cardsOf = async (channel: string) =>
  (await ann.key<{ cards: Card[] }>('GET', `/channels/${channel}/cards`)).body.cards

test('no recipe has more than 30 lines', () => {
  const recipes = blocksOf('agents.md').slice(-4)
  expect(recipes.map(({ code }) => code.split('\n').length - 1).filter(lines => lines > 30)).toEqual([])
})

describe('canUseTool of the Claude Agent SDK', () => {
  /** Its signal aborts when standard input ends. */
  const code = `${blockIn('agents.md', 'Claude Agent SDK', 'ts')}
    const [line] = await new Promise<string[]>(resolve => process.stdin.once('data', data => resolve([String(data)])))
    const stop = new AbortController()
    process.stdin.once('end', () => stop.abort()).resume()
    console.log(JSON.stringify(await canUseTool('Bash', JSON.parse(line), { signal: stop.signal })))
    process.exit()`
  const input = { command: 'rm -rf dist', timeout: 60 }

  async function startTool() {
    const run = await start('ts', code, null)
    run.stdin?.write(JSON.stringify(input))
    return run
  }

  test.each<[Given, object]>([
    [{ button_id: 'approve' }, { behavior: 'allow', updatedInput: input }],
    [
      { button_id: 'approve', values: { 'arg:command': 'rm -rf build' } },
      { behavior: 'allow', updatedInput: { ...input, command: 'rm -rf build' } },
    ],
    [
      { button_id: 'reject', comment: 'Keep it' },
      { behavior: 'deny', message: 'Keep it' },
    ],
    [
      { button_id: 'respond', comment: 'It is empty' },
      { behavior: 'deny', message: 'It is empty' },
    ],
  ])('%j becomes %j', async (given, result) => {
    const run = await startTool()
    expect(await answerNext(ann, run.channel, given)).toMatchObject({ abandon: 'cancel' })
    expect(JSON.parse((await run.done).output)).toEqual(result)
  })

  test('a question that is closed denies', async () => {
    const run = await startTool()
    const { id } = await nextQuestion(ann, run.channel)
    await ann.key('DELETE', `/channels/${run.channel}/decisions/${id}`)
    expect(JSON.parse((await run.done).output)).toMatchObject({ behavior: 'deny' })
  })

  test('its signal ends the wait and closes the question', async () => {
    const run = await startTool()
    const { id } = await nextQuestion(ann, run.channel)
    run.stdin?.end()
    expect(JSON.parse((await run.done).output)).toMatchObject({ behavior: 'deny' })
    const { body } = await ann.key('GET', `/channels/${run.channel}/decisions/${id}`)
    expect(body).toMatchObject({ state: 'cancelled' })
  })

  test('arguments that are too long deny without a card', async () => {
    const run = await start('ts', code, JSON.stringify({ command: 'x'.repeat(5_000) }))
    expect(JSON.parse((await run.done).output)).toMatchObject({ behavior: 'deny' })
    expect(await cardsOf(run.channel)).toEqual([])
  })
})

describe.runIf(hasRequests())('decide of LangChain', () => {
  const code = `${blockIn('agents.md', 'LangChain and LangGraph', 'python')}
import sys
print(json.dumps(decide(json.load(sys.stdin))))`

  /** The value of an interrupt, as LangChain documents it. */
  const requestOf = (allowed: Record<string, string[]>, ...actions: { name: string; args: object }[]) => ({
    action_requests: actions.map(action => ({
      ...action,
      description: `Tool execution pending approval\n\nTool: ${action.name}\nArgs: {...}`,
    })),
    review_configs: Object.entries(allowed).map(([action_name, allowed_decisions]) => ({
      action_name,
      allowed_decisions,
    })),
  })

  const query = "DELETE FROM records WHERE created_at < NOW() - INTERVAL '30 days';"
  const sql = { name: 'execute_sql', args: { query, limit: 10, dry: false, tables: ['records'] } }
  const all = ['approve', 'edit', 'reject', 'respond']

  async function decided(allowed: string[], given: Given) {
    const run = await start('python', code, JSON.stringify(requestOf({ execute_sql: allowed }, sql)))
    const asked = await answerNext(ann, run.channel, given)
    expect(asked).toMatchObject({ abandon: 'cancel', if_changed: 'refuse' })
    const { output, errors } = await run.done
    expect(errors).toBe('')
    return JSON.parse(output)
  }

  test.each<[Given, object]>([
    [{ button_id: 'approve' }, { type: 'approve' }],
    [
      { button_id: 'approve', values: { 'arg:query': 'SELECT 1', 'arg:limit': '5', 'arg:dry': true } },
      {
        type: 'edit',
        edited_action: {
          name: 'execute_sql',
          args: { query: 'SELECT 1', limit: 5, dry: true, tables: ['records'] },
        },
      },
    ],
    [
      { button_id: 'reject', comment: 'Not on a Friday' },
      { type: 'reject', message: 'Not on a Friday' },
    ],
    [{ button_id: 'reject' }, { type: 'reject', message: 'Rejected by a person' }],
    [
      { button_id: 'respond', comment: '3 rows' },
      { type: 'respond', message: '3 rows' },
    ],
  ])('%j becomes %j', async (given, decision) => {
    expect(await decided(all, given)).toEqual({ decisions: [decision] })
  })

  test.each([
    [['approve', 'reject'], ['approve', 'reject'], 'approve'],
    [['edit', 'reject'], ['approve', 'reject'], 'approve'],
    [['reject'], ['reject'], null],
    [['respond'], ['respond'], null],
  ])('only what is allowed is offered: %j', async (allowed, buttons, approves) => {
    const run = await start('python', code, JSON.stringify(requestOf({ execute_sql: allowed }, sql)))
    const { choices, ...asked } = await nextQuestion(ann, run.channel)
    expect({ buttons: choices.map(({ id }) => id), approves: asked.approves }).toEqual({ buttons, approves })
    const [card] = await cardsOf(run.channel)
    expect(card?.blocks.some(({ type }) => type === 'input')).toBe(allowed.includes('edit'))
  })

  test('where approving isn’t allowed, an approval is an edit', async () => {
    const edited_action = { name: 'execute_sql', args: sql.args }
    expect(await decided(['edit', 'reject'], { button_id: 'approve' })).toEqual({
      decisions: [{ type: 'edit', edited_action }],
    })
  })

  test('a service that is away for a moment is asked again', async () => {
    let refused = 0
    const gateway = createServer((near, response) => {
      if (near.method === 'GET' && refused++ < 2)
        return void response.writeHead(503, { 'Error-Code': 'unavailable' }).end()
      const { method, headers } = near
      const far = request(service.url + near.url, { method, headers }, answer => {
        response.writeHead(answer.statusCode ?? 500)
        answer.pipe(response)
      })
      near.pipe(far)
    })
    const url = `http://127.0.0.1:${await listenOn(gateway)}`
    onTestFinished(() => void gateway.close())
    const run = await start('python', code, JSON.stringify(requestOf({ execute_sql: all }, sql)), url)
    await answerNext(ann, run.channel, { button_id: 'approve' })
    expect(JSON.parse((await run.done).output)).toEqual({ decisions: [{ type: 'approve' }] })
    expect(refused).toBeGreaterThan(2)
  })

  test('several actions are asked and answered in their order', async () => {
    const file = { name: 'write_file', args: { path: 'a.txt' } }
    const allowed = { execute_sql: ['approve', 'reject'], write_file: ['approve', 'reject'] }
    const run = await start('python', code, JSON.stringify(requestOf(allowed, file, sql)))
    await answerNext(ann, run.channel, { button_id: 'reject', comment: 'no file' })
    await answerNext(ann, run.channel, { button_id: 'approve' })
    const { output } = await run.done
    expect(JSON.parse(output)).toEqual({
      decisions: [{ type: 'reject', message: 'no file' }, { type: 'approve' }],
    })
  })

  test('a question that is closed raises, so that nothing is resumed', async () => {
    const run = await start('python', code, JSON.stringify(requestOf({ execute_sql: all }, sql)))
    const { id } = await nextQuestion(ann, run.channel)
    await ann.key('DELETE', `/channels/${run.channel}/decisions/${id}`)
    const { code: exit, output, errors } = await run.done
    expect([exit, output]).toEqual([1, ''])
    expect(errors).toContain('Nobody decided: cancelled')
  })

  test('an edited number that is none raises', async () => {
    const run = await start('python', code, JSON.stringify(requestOf({ execute_sql: all }, sql)))
    await answerNext(ann, run.channel, { button_id: 'approve', values: { 'arg:limit': '' } })
    expect(await run.done).toMatchObject({ code: 1, output: '' })
  })

  test('arguments that are too long raise without a card', async () => {
    const long = { name: 'execute_sql', args: { query: 'x'.repeat(4_000) } }
    const run = await start('python', code, JSON.stringify(requestOf({ execute_sql: all }, long)))
    expect(await run.done).toMatchObject({ code: 1, output: '' })
    expect(await cardsOf(run.channel)).toEqual([])
  })

  test('an invisible character is an escape, which can’t be edited', async () => {
    const hidden = { name: 'execute_sql', args: { query: 'SELECT \u202e1' } }
    const run = await start('python', code, JSON.stringify(requestOf({ execute_sql: all }, hidden)))
    await nextQuestion(ann, run.channel)
    const [card] = await cardsOf(run.channel)
    expect(card?.blocks.find(({ id }) => id === 'args')).toMatchObject({
      content: '{\n  "query": "SELECT \\u202e1"\n}',
    })
    expect(card?.blocks.some(({ type }) => type === 'input')).toBe(false)
  })
})
