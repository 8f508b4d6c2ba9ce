// docs/cli.md: its examples run in bash with the installed command, and its tables are complete.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { EXIT } from '../../../client/cli/failure.ts'
import { createProgram } from '../../../client/cli/program.ts'
import { textOf } from '../../structure/imports.ts'
import { answerNext, type Given } from '../../support/answering.ts'
import { startShell } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'
import { installClient } from '../../support/client-package.ts'
import { blockIn, blocksOf } from '../../support/page-blocks.ts'

const { service, ann, channel } = await buildCliScene()
const page = textOf('docs/cli.md')
const blocks = blocksOf('cli.md')
const folder = installClient()
const [, logIn = ''] = codeUnder('Install and log in')

const env: Record<string, string> = {
  HOME: folder,
  PATH: [join(folder, 'node_modules/.bin'), join(process.execPath, '..'), process.env.PATH].join(':'),
}

function codeUnder(heading: string): string[] {
  const found = blocks.filter(block => block.heading === heading && block.language === 'sh')
  return found.map(({ code }) => code.replaceAll('https://feed.example.com', service.url))
}

const start = (code: string) => startShell(code, { env, cwd: folder })

/** Runs the block, and answers its question, if it asks one. */
async function run(code: string | undefined, given?: Given) {
  if (code === undefined) throw new Error('the page has no such block')
  const shell = start(code)
  if (given) await answerNext(ann, channel, given)
  return shell.ended
}

beforeAll(async () => {
  const files = {
    'key.txt': ann.api_key,
    'card.json': blockIn('cli.md', 'Push cards', 'json'),
    deploy: '#!/bin/sh\necho deployed',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o755 })
})

describe('the examples', () => {
  test('a test runs every block, but the one that installs from the registry', () => {
    expect(blocks.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
      ...['Install and log in: sh', 'Install and log in: sh'],
      ...['Push cards: sh', 'Push cards: json', 'Push cards: sh'],
      ...['Ask: sh', 'Ask: sh', 'Ask: sh'],
      ...['Read and follow: sh', 'Read and follow: sh', 'Completion: sh'],
    ])
  })

  test('login stores the key for the examples after it', async () => {
    const { code, stderr } = await run(logIn)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`Logged in to ${service.url}`),
    })
  })

  test('cards are pushed, changed and deleted', async () => {
    const [push, change] = codeUnder('Push cards')
    const pushed = await run(push)
    expect(pushed).toMatchObject({ code: 0, stderr: '' })
    expect(pushed.stdout.trim().split('\n')).toHaveLength(3)
    const changed = await run(change)
    expect(changed).toMatchObject({ code: 0, stderr: 'Deleted\n' })
    expect(changed.stdout.trim()).toBe(pushed.stdout.trim().split('\n')[2])
  })

  test.each([
    ['Deploy', { code: 0, stdout: 'Deploy\ndeployed\n' }],
    ['Not now', { code: 1, stdout: 'Not now\n' }],
  ])('after %s, ask && ./deploy ends like this: %j', async (button_id, end) => {
    expect(await run(codeUnder('Ask')[0], { button_id })).toMatchObject(end)
  })

  test('a handle is waited for later', async () => {
    const end = await run(codeUnder('Ask')[1], { button_id: 'Deploy' })
    expect(end).toMatchObject({ code: 0, stdout: 'asked: 8\nDeploy\n' })
  })

  test('a saved answer is verified', async () => {
    const end = await run(codeUnder('Ask')[2], { button_id: 'Yes' })
    expect(end.code).toBe(0)
    expect(end.stdout).toMatch(/^\{[\s\S]*"approved": true[\s\S]*\}\ndeployed\n$/)
  })

  test('lists print what is there', async () => {
    const [lists, follow = ''] = codeUnder('Read and follow')
    const end = await run(lists)
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(end.stdout).toContain(`${channel}\tinteractive\t`)
    const tail = start(follow)
    const trigger = { type: 'reply', text: 'Anybody there?' }
    const events = async () => {
      await ann.session('POST', `/channels/${channel}/interactions`, { trigger })
      return readFileSync(join(folder, 'events.jsonl'), { encoding: 'utf8', flag: 'a+' })
    }
    await expect.poll(events).toContain('Anybody there?')
    process.kill(-(tail.child.pid ?? 0), 'SIGTERM')
    await tail.ended
  })

  test('the script of completion loads', async () => {
    expect(await run(codeUnder('Completion')[0])).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('the tables', () => {
  const { commands, options } = createProgram()
  const all = [...commands, ...commands.flatMap(command => command.commands)]

  test('every flag and command of the page exists, and every command is on the page', () => {
    const flags = [...options, ...all.flatMap(command => command.options)].map(({ long }) => long)
    const named = [...page.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([flag]) => flag)
    expect(named.filter(flag => ![...flags, '--help', '--global'].includes(flag))).toEqual([])
    const hidden = ['complete']
    const names = commands.map(command => command.name()).filter(name => !hidden.includes(name))
    expect(names.filter(name => !new RegExp(`(?:channel-feed |\`)${name}\\b`).test(page))).toEqual([])
  })

  test('the page has every flag of ask', () => {
    const ask = commands.find(command => command.name() === 'ask')
    const flags = ask?.options.map(({ long }) => long ?? '') ?? []
    expect(flags.filter(flag => !page.includes(`${flag} `) && !page.includes(`${flag}\``))).toEqual([])
  })

  test('the page has every exit code', () => {
    const codes = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
    expect(codes).toEqual(Object.values(EXIT))
  })
})
