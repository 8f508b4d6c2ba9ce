// Runs the code snippets of the card builder against a server: the card arrives unchanged.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type Card, createCardBody } from '../../shared/card.ts'
import {
  type ApiRequest,
  cardsUrl,
  inPath,
  KEY_VARIABLE,
  LANGUAGES,
  type Language,
  snippet,
} from '../../web/builder/snippets.ts'
import { createChannel } from '../support/channels.ts'
import { isInstalled, withCurl } from '../support/programs.ts'
import { runWithOwner } from '../support/running.ts'

const run = promisify(execFile)

const { service, ann } = await runWithOwner()
const channel = await createChannel(ann)

const RUNNERS: Record<Language, [string, string[]]> = {
  curl: ['bash', []],
  javascript: [process.execPath, ['--input-type=module']],
  python: ['python3', ['-']],
}

/** A machine with only Node has no Python: `.ci/run` installs it. */
const canRun = (language: Language) => language !== 'python' || isInstalled('python3')

async function execute(language: Language, request: ApiRequest): Promise<void> {
  const [command, options] = RUNNERS[language]
  const env = { ...withCurl(), [KEY_VARIABLE]: ann.api_key }
  // By standard input: some snippets are too long for an argument.
  const running = run(command, options, { env })
  running.child.stdin?.end(snippet(language, request))
  await running
}

const NASTY = `It's "quoted", it''s 'twice' \\ back\\slash \\n no break
a line break,\ttab, $HOME \`date\` $(date) %s !! ünïcödé 漢字 🚆👩‍👩‍👧 \u2028 \u0007 {x} \${y} #`

const body = {
  status: 'warning',
  blocks: [
    { type: 'text', id: "it's", content: NASTY, bold: true, size: 'lg' },
    {
      type: 'kv',
      id: 'log',
      rows: [
        { key: NASTY, value: '' },
        { key: "'", value: "'''" },
      ],
    },
    { type: 'select', id: 'pick', label: 'Pick', options: ["o'clock", 'b'], value: null, disabled: false },
    { type: 'input', id: 'count', label: 'Count', max_length: 12, required: true },
    { type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go', confirm: 'Sure?\n"Really"?' }] },
  ],
}
const expected = createCardBody.parse(body)

async function newest(): Promise<Card> {
  const { body } = await ann.key<{ cards: Card[] }>('GET', `/channels/${channel}/cards?limit=1`)
  const [card] = body.cards
  if (!card) throw new Error('no card is there')
  return card
}

describe.each(LANGUAGES.filter(canRun))('%s', language => {
  const cards = () => cardsUrl(service.url, channel)

  test('the snippet creates the card that was composed', async () => {
    await execute(language, { method: 'POST', url: cards(), body })
    expect(await newest()).toMatchObject(expected)
  })

  test('the snippet creates and replaces a card by its key', async () => {
    const key = `${language}'s "key" / 🚆 %41 & ?`
    const url = `${cards()}/by-key/${inPath(key)}`
    await execute(language, { method: 'PUT', url, body: { blocks: [{ type: 'divider' }] } })
    const { id } = await newest()
    await execute(language, { method: 'PUT', url, body })
    expect(await newest()).toMatchObject({ id, key, ...expected })
  })

  test('the snippet creates a card of the maximum size', async () => {
    const large = Array.from({ length: 24 }, (_, i) => ({
      type: 'text',
      id: `${i}`,
      content: "it's! ".repeat(1_600),
    }))
    await execute(language, { method: 'POST', url: cards(), body: { blocks: large } })
    expect(await newest()).toMatchObject({ blocks: large })
  })

  test('the snippet creates a card with unknown fields', async () => {
    const odd: unknown = JSON.parse(
      '{ "blocks": [{ "type": "divider", "id": "odd", "size": 1e999, "__proto__": -0 }] }',
    )
    await execute(language, { method: 'POST', url: cards(), body: odd })
    expect(await newest()).toMatchObject({ blocks: [{ type: 'divider', id: 'odd' }] })
  })

  test('the snippet changes a card', async () => {
    await execute(language, { method: 'POST', url: cards(), body })
    const { id } = await newest()
    const change = {
      status: 'success',
      blocks: [
        { id: "it's", patch: { bold: false } },
        { id: 'log', patch: { append_rows: [{ key: 'more', value: NASTY }] } },
        { id: 'count', patch: { max_length: null } },
      ],
    }
    await execute(language, { method: 'PATCH', url: `${cards()}/${id}`, body: change })
    const card = await newest()
    expect(card).toMatchObject({ id, status: 'success' })
    expect(card.blocks[0]).toMatchObject({ content: NASTY, bold: false })
    expect(card.blocks[1]).toMatchObject({ rows: { 2: { key: 'more', value: NASTY } } })
    expect(card.blocks[3]).not.toHaveProperty('max_length')
  })
})

test('an error response ends the snippet with an error', async () => {
  const request: ApiRequest = { method: 'POST', url: cardsUrl(service.url, channel), body: { blocks: [] } }
  await expect(execute('javascript', request)).rejects.toThrow('blocks must have 1 to 100 items')
  if (canRun('python')) await expect(execute('python', request)).rejects.toThrow('400')
})
