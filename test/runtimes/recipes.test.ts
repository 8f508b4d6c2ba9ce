// The recipes of docs/agents.md with the frameworks themselves, and models that follow a script.
import { describe, expect, test } from 'vitest'
import { answerNext, type Given, nextQuestion } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { blockIn, NODE_24, readersFolder, runCode } from '../support/page-blocks.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()

/** Runs it in a channel of its own. `printed`: the JSON that it prints at its end. */
async function start(folder: string, code: string) {
  const channel = await createChannel(ann, { mode: 'interactive' })
  const env = {
    CHANNEL_FEED_URL: service.url,
    CHANNEL_FEED_KEY: ann.api_key,
    CHANNEL_FEED_CHANNEL: channel,
  }
  return { channel, ...runCode('ts in Node 24', code, { folder, env }) }
}

/** A model that wants to send a mail, and then says `Done`. `ran`: to whom the tool sent it. `told`: what the model was told. */
type Printed = { ran: string[]; told: string; text: string }

const OUTCOMES: [Given, string[], string][] = [
  [{ button_id: 'approve' }, ['bob@example.com'], 'Sent'],
  [{ button_id: 'reject', comment: 'Wrong Bob' }, [], 'Wrong Bob'],
  [{ button_id: 'respond', comment: 'I called him' }, [], 'I called him'],
]

describe.runIf(NODE_24).each([
  ['OpenAI Agents SDK', ['@openai', 'zod'], openAiScript()],
  ['AI SDK', ['ai', 'zod'], aiSdkScript()],
])('the recipe for %s', (heading, packages, script) => {
  const folder = readersFolder(packages)
  const code = `${blockIn('agents.md', heading, 'ts')}\n${script}`

  test.each(OUTCOMES)(
    'after %j, the tool ran for %j, and the model was told %j',
    async (given, ran, words) => {
      const run = await start(folder, code)
      const asked = await answerNext(ann, run.channel, given)
      expect(asked.abandon).toBe('cancel')
      expect(asked.choices.map(({ id }) => id)).toEqual(['approve', 'reject', 'respond'])
      const { output, errors } = await run.done
      expect(errors).toBe('')
      const printed: Printed = JSON.parse(output)
      expect(printed).toMatchObject({ ran, text: 'Done' })
      expect(printed.told).toContain(words)
    },
  )

  test('a question that is closed ends the run, and the tool does not run', async () => {
    const run = await start(folder, code)
    const { id } = await nextQuestion(ann, run.channel)
    await ann.key('DELETE', `/channels/${run.channel}/decisions/${id}`)
    const { code: exit, output, errors } = await run.done
    expect([exit, output]).toEqual([1, ''])
    expect(errors).toContain('DecisionCancelled')
  })
})

function openAiScript(): string {
  return `
    import { Agent as RealAgent, setTracingDisabled, tool } from '@openai/agents'
    import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
    import { z } from 'zod'
    setTracingDisabled(true)
    const ran: string[] = []
    const send = tool({
      name: 'send_email',
      description: 'Sends an e-mail',
      parameters: z.object({ to: z.string() }),
      needsApproval: true,
      execute: async ({ to }) => {
        ran.push(to)
        return 'Sent'
      },
    })
    const call = functionCall('send_email', { to: 'bob@example.com' }, { callId: '1' })
    const model = new ScriptedModel([[call], [assistantMessage('Done')]])
    const result = await runReviewed(new RealAgent({ name: 'Mail', model, tools: [send] }), 'Write to Bob')
    const told = JSON.stringify(model.lastCall?.request.input)
    console.log(JSON.stringify({ ran, told, text: result.finalOutput }))`
}

function aiSdkScript(): string {
  return `
    import { tool } from 'ai'
    import { MockLanguageModelV4 } from 'ai/test'
    import { z } from 'zod'
    const ran: string[] = []
    const send = tool({
      inputSchema: z.object({ to: z.string() }),
      execute: async ({ to }) => {
        ran.push(to)
        return 'Sent'
      },
    })
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    }
    const input = JSON.stringify({ to: 'bob@example.com' })
    const model = new MockLanguageModelV4({
      doGenerate: [
        {
          content: [{ type: 'tool-call', toolCallId: '1', toolName: 'send_email', input }],
          finishReason: { unified: 'tool-calls', raw: undefined },
          usage,
          warnings: [],
        },
        {
          content: [{ type: 'text', text: 'Done' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage,
          warnings: [],
        },
      ],
    })
    const result = await generateReviewed(
      { model, tools: { send_email: send }, toolApproval: { send_email: 'user-approval' } },
      [{ role: 'user', content: 'Write to Bob' }],
    )
    const told = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)
    console.log(JSON.stringify({ ran, told, text: result.text }))`
}
