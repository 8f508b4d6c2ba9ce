// Runs the code in docs/webhooks.md, if its language is installed.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../server/webhooks/sign.ts'
import { isInstalled } from '../support/programs.ts'

const page = await readFile(fileURLToPath(new URL('../../docs/webhooks.md', import.meta.url)), 'utf8')
const codeIn = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

const [now, secret, old] = [Math.floor(Date.now() / 1000), secretOf('a'), secretOf('b')]
const body = '{"text":"ü"}'
const signed = signatureHeaders('id', now, body, [secret, old])

function secretOf(letter: string): string {
  return `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
}

type Case = { secret: string; headers: Record<string, string>; body: string; good: boolean }
const cases: Record<string, Case> = {
  'a signed request': { secret, headers: signed, body, good: true },
  'a request signed with the previous secret': { secret: old, headers: signed, body, good: true },
  'another secret': { secret: secretOf('c'), headers: signed, body, good: false },
  'another body': { secret, headers: signed, body: '{}', good: false },
  'another id': { secret, headers: { ...signed, 'webhook-id': 'other' }, body, good: false },
  'an old request': { secret, headers: signatureHeaders('id', now - 301, body, [secret]), body, good: false },
  'a future request': {
    secret,
    headers: signatureHeaders('id', now + 360, body, [secret]),
    body,
    good: false,
  },
  'no signature': { secret, headers: { ...signed, 'webhook-signature': '' }, body, good: false },
}
const input = JSON.stringify(Object.values(cases))
const wanted = Object.values(cases).map(({ good }) => good)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhooks-docs-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(file: string, code: string, program: string, ...before: string[]): Promise<unknown> {
  await writeFile(join(folder, file), code)
  const output = execFileSync(program, [...before, file], { cwd: folder, input, encoding: 'utf8' })
  return JSON.parse(output)
}

describe(`the documented verification`, () => {
  test('the documented verification works in Node', async () => {
    const rest = `
      let text = ''
      for await (const chunk of process.stdin) text += chunk
      const results = JSON.parse(text).map(({ secret, headers, body }) => verify(secret, headers, Buffer.from(body)))
      console.log(JSON.stringify(results))`
    expect(await run('verify.mjs', codeIn('js') + rest, process.execPath)).toEqual(wanted)
  })

  if (isInstalled('python3', '--version'))
    test('the documented verification works in Python', async () => {
      const rest = [
        'import json, sys',
        'cases = json.load(sys.stdin)',
        'print(json.dumps([verify(c["secret"], c["headers"], c["body"].encode()) for c in cases]))',
      ].join('\n')
      expect(await run('verify.py', `${codeIn('python')}\n${rest}\n`, 'python3')).toEqual(wanted)
    })

  if (isInstalled('go', 'version'))
    test('the documented verification works in Go', async () => {
      const code = codeIn('go')
        .replace('package webhook', 'package main')
        .replace('import (', 'import (\n\t"encoding/json"\n\t"os"')
      const rest = `
      func main() {
        var cases []struct { Secret string; Headers map[string]string; Body string }
        json.NewDecoder(os.Stdin).Decode(&cases)
        results := []bool{}
        for _, c := range cases {
          header := http.Header{}
          for name, value := range c.Headers { header.Set(name, value) }
          results = append(results, Verify(c.Secret, header, []byte(c.Body)))
        }
        json.NewEncoder(os.Stdout).Encode(results)
      }`
      expect(await run('verify.go', code + rest, 'go', 'run')).toEqual(wanted)
    })
})
