// `verify`: ends with 0 only if a signed decision is valid and approved.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { handleOf, runCli } from '../../support/cli.ts'
import { buildCliScene } from '../../support/cli-scene.ts'

const { service, env, run, start, press, readQuestion } = await buildCliScene()
const ISSUER = ['--issuer', service.url]

/** Asks, presses and returns what `ask --json` printed. */
async function decided(choice: string): Promise<{ handle: string; text: string; jws: string }> {
  const cli = start(['ask', 'Deploy?', '--choice', 'Deploy', '--choice', 'Not now', '--json'])
  const handle = await handleOf(cli)
  await press(handle, choice)
  const text = (await cli.ended).stdout
  return { handle, text, jws: JSON.parse(text).jws }
}

test('an approved decision ends with 0 and prints its claims', async () => {
  const { handle, text, jws } = await decided('Deploy')
  const variables = env()
  const file = join(variables.HOME ?? '', 'answer.json')
  writeFileSync(file, text)
  const ends = [
    await run(['verify', handle, ...ISSUER, '--json']),
    await run(['verify', ...ISSUER, '--json'], jws),
    await run(['verify', '-', ...ISSUER, '--json'], `${text}\n`),
    await run(['verify', file, ...ISSUER, '--json']),
  ]
  for (const { code, stdout, stderr } of ends) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      jti: handle.split('/')[1],
      approved: true,
      choice: { id: 'Deploy' },
    })
  }
  const indented = await run(['verify', ...ISSUER], jws)
  expect(JSON.parse(indented.stdout)).toEqual(JSON.parse(ends[0]?.stdout ?? ''))
})

test('another choice, another issuer and a changed signature end with 1, and stdout stays empty', async () => {
  const approved = await decided('Deploy')
  const { jws, handle } = await decided('Not now')
  const refused = await run(['verify', handle, ...ISSUER])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Not now was chosen, which approves nothing')
  const changed = approved.jws.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
  const [head, claims] = approved.jws.split('.')
  const swapped = [head, claims, jws.split('.')[2]].join('.')
  for (const input of [changed.slice(0, -8), swapped, 'nonsense', jws])
    expect(await run(['verify', ...ISSUER], input)).toMatchObject({ code: 1, stdout: '' })
  const other = await run(['verify', ...ISSUER, '--json'], swapped)
  expect(JSON.parse(other.stderr)).toMatchObject({ code: 'signature', status: null })
  const elsewhere = service.url.replace('localhost', '127.0.0.1')
  const issuer = await run(['verify', '--issuer', elsewhere, '--json'], approved.jws)
  expect(issuer.code).toBe(1)
  expect(JSON.parse(issuer.stderr)).toMatchObject({ code: 'issuer' })
})

test('a question that nobody has decided has no signature, which ends with 5', async () => {
  const handle = (await run(['ask', 'Open?', '--no-wait'])).stdout.trim()
  expect((await readQuestion(handle)).state).toBe('waiting')
  expect(await run(['verify', handle, ...ISSUER])).toMatchObject({ code: 5, stdout: '' })
})

test('an issuer that is away ends with 7, and one that is no service with 2', async () => {
  const { jws } = await decided('Deploy')
  const away = await runCli(['verify', '--issuer', 'http://127.0.0.1:1'], { env: env(), input: jws })
  expect(away).toMatchObject({ code: 7, stdout: '' })
  const wrong = await run(['verify', '--issuer', `${service.url}/api`], jws)
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain('has no list of keys. Is it the address of the service?')
  expect((await run(['verify'], jws)).stderr).toContain("required option '--issuer <address>'")
  expect((await run(['verify', ...ISSUER], '{"choice": "Deploy"}')).code).toBe(2)
})
