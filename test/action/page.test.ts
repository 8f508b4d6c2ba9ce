// The workflow of docs/github-actions.md: its step asks, and its table names every input and output.
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { textOf } from '../structure/imports.ts'
import { startStep, stepInputs } from '../support/action-run.ts'
import { answerNext } from '../support/answering.ts'
import { blocksOf } from '../support/page-blocks.ts'
import { runWithOwner } from '../support/running.ts'

type Step = { uses?: string; id?: string; with: Record<string, string>; env?: Record<string, string> }
type Manifest = { inputs: Record<string, { required?: boolean }>; outputs: object }

const [workflow, ...others] = blocksOf('github-actions.md')
const { jobs }: { jobs: { deploy: { steps: Step[] } } } = parse(workflow?.code ?? '')
const [ask, deploy] = jobs.deploy.steps
const manifest: Manifest = parse(textOf('action/action.yml'))

const { service, ann } = await runWithOwner()

test('the page has no other block', () => {
  expect(others).toEqual([])
})

test('the step of the page asks, and its first choice lets the job go on', async () => {
  const own = await stepInputs(service, ann)
  const values: Record<string, string> = {
    'vars.CHANNEL_FEED_URL': own.url,
    'secrets.CHANNEL_FEED_KEY': own.key,
    'vars.CHANNEL_FEED_CHANNEL': own.channel,
    'github.ref_name': 'v42',
    'github.event.head_commit.message': 'Fix the cart',
  }
  const inputs = Object.entries(ask?.with ?? {}).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, expression) => values[expression] ?? ''),
  ])
  const step = startStep(Object.fromEntries(inputs))
  const asked = await answerNext(ann, own.channel, { button_id: 'Deploy' })
  expect(asked).toMatchObject({ who: 'members', choices: [{ id: 'Deploy' }, { id: 'Not now' }] })
  expect(await step.ended).toBe(0)
  const used = Object.values(deploy?.env ?? {}).map(
    text => /steps\.ask\.outputs\.(\w+)/.exec(text)?.[1] ?? '',
  )
  expect(used).toEqual(['by', 'jws'])
  expect(Object.keys(step.outputs())).toEqual(expect.arrayContaining(used))
})

describe('the tables of the page', () => {
  test('they name every input and output', () => {
    const cells = [...textOf('docs/github-actions.md').matchAll(/^\| (`[^|]+) \|/gm)]
    const names = cells.flatMap(([, cell = '']) => cell.match(/[\w-]+/g) ?? [])
    expect(names.sort()).toEqual([...Object.keys(manifest.inputs), ...Object.keys(manifest.outputs)].sort())
  })
})
