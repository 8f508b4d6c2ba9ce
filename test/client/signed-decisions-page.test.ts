// The examples of docs/signed-decisions.md do what the page says.
import { expect, test } from 'vitest'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { parseKeyPair } from '../../server/key-pair.ts'
import { answerNext } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { blockIn, blocksOf, readersFolder, runCode } from '../support/page-blocks.ts'
import { runWithOwner } from '../support/running.ts'

const PAGE = 'signed-decisions.md'
const { service, ann } = await runWithOwner()
const folder = readersFolder()

test('a test runs every block of the page', () => {
  expect(blocksOf(PAGE).map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    'Verify: ts',
    'Keys: sh',
  ])
})

test('the command prints a signing key', async () => {
  const { output } = await runCode('sh', blockIn(PAGE, 'Keys', 'sh'), { folder, env: {} }).done
  expect(await parseKeyPair(output)).not.toBeNull()
})

test('the example of a verification prints who approved, and only for these arguments', async () => {
  const feed = new ChannelFeed({ url: service.url, key: ann.api_key }).channel(
    await createChannel(ann, { mode: 'interactive' }),
  )
  const review = feed.review({ action: 'delete_file', args: { path: '/a' }, allow: ['approve', 'reject'] })
  const { id } = await answerNext(ann, feed.id, { button_id: 'approve' })
  await review
  const code = blockIn(PAGE, 'Verify', 'ts').replace('https://feed.example.com', service.url)
  const env = { CHANNEL_FEED_KEY: ann.api_key }
  const run = (path: string) => {
    const given = `const handle = '${feed.id}/${id}', args = { path: '${path}' }`
    return runCode('ts', code.replace('const issuer', `${given}; const issuer`), { folder, env }).done
  }
  expect(await run('/a')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Ann approved this at \S+Z\n$/),
    errors: '',
  })
  expect(await run('/b')).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringContaining("code: 'args'"),
  })
})
