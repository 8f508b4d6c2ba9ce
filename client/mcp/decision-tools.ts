// The tools that ask a person, read the answer, and close a question. None of them decides.
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { COMMENTS } from '../../shared/decision.ts'
import { FORM_TYPES } from '../../shared/form-block.ts'
import { EXPIRES_IN_MAX } from '../../shared/limits.ts'
import type { WaitOptions } from '../wait.ts'
import { asWriter, channelInput, chosenChannel, resultOf, type ToolContext, ToolRefusal } from './context.ts'
import {
  type DecisionResult,
  decisionResult,
  describeQuestion,
  type KnownQuestion,
} from './decision-result.ts'
import { shownValues } from './passwords.ts'
import { waitForEnd, waitInput } from './waiting.ts'

const choice = z.union([
  z.string(),
  z.looseObject({
    id: z.string(),
    label: z.string().optional(),
    style: z.enum(['primary', 'secondary', 'danger']).optional(),
    confirm: z.string().optional().describe('The person confirms this text before the press counts.'),
    comment: z.enum(COMMENTS).optional(),
  }),
])

/** The service checks the rest: see `blocks` in card-tools.ts. */
const fields = z
  .array(z.any())
  .meta({
    items: z.toJSONSchema(z.looseObject({ type: z.enum(FORM_TYPES), id: z.string(), label: z.string() })),
  })
  .describe(
    'What the person fills in: blocks as in push_card, of these types. The answer has them in `values`. No passwords.',
  )

const askInput = z.object({
  question: z.string().describe('Short, with everything that the person must know to decide.'),
  key: z
    .string()
    .describe('Names the action, for example deploy-v42. The same key and words join the open question.'),
  details: z.string().optional().describe('Shown below the question: what exactly would be done, and why.'),
  choices: z
    .array(choice)
    .min(1)
    .max(10)
    .optional()
    .describe('Only the first one approves. Default: Approve, Reject.'),
  fields: fields.optional(),
  expires_in: z
    .int()
    .min(1)
    .max(EXPIRES_IN_MAX)
    .optional()
    .describe('Seconds until nobody may decide any more.'),
  who: z
    .union([z.enum(['anyone', 'signed_in', 'members', 'owner']), z.array(z.string())])
    .optional()
    .describe('Who may decide: a group, or e-mail addresses. Default: anyone who may act in the channel.'),
  comment: z
    .enum(COMMENTS)
    .optional()
    .describe('Whether the person may or must add a remark. Default: none.'),
  wait: waitInput,
  channel: channelInput,
})

const fieldKind = z.object({ type: z.enum(FORM_TYPES), input_type: z.unknown().optional() })

const handleInput = z.string().describe('The handle of an earlier result.')

// Each request over HTTP has a server of its own, so the schemas are made once.
const ASK_HUMAN = {
  title: 'Ask a person',
  description:
    'Shows a question to people and waits for the first answer. Use it before an action that can’t be undone, and act only if `approved` is true. If nobody answers in time, the question stays open: call get_decision with the `handle`.',
  inputSchema: askInput,
  outputSchema: decisionResult,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
}

const GET_DECISION = {
  title: 'Read an answer',
  description:
    'Reads the answer to a question of ask_human, and waits for it if the question is open. Name the question by its `handle`, or by its `key`: the latest one in the channel counts.',
  inputSchema: z.object({
    handle: handleInput.optional(),
    key: z.string().optional().describe('The key of ask_human, instead of the handle.'),
    channel: channelInput,
    wait: waitInput,
  }),
  outputSchema: decisionResult,
  annotations: { readOnlyHint: true, openWorldHint: true },
}

const CANCEL_QUESTION = {
  title: 'Close a question',
  description: 'Closes an open question for everyone, because its answer doesn’t matter any more.',
  inputSchema: z.object({ handle: handleInput }),
  outputSchema: decisionResult,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
}

export function addDecisionTools(server: McpServer, context: ToolContext): void {
  const { client } = context
  const described = async (question: KnownQuestion): Promise<DecisionResult> =>
    describeQuestion(question, await shownValues(client, question.decision))

  server.registerTool('ask_human', ASK_HUMAN, ({ wait, channel, ...question }, call) =>
    resultOf(context, call, async () => {
      checkFields(question.fields ?? [])
      const feed = await chosenChannel(context, channel)
      let handle: string | undefined
      const onAsked = (asked: { handle: string }) => {
        handle = asked.handle
      }
      const ended = await waitForEnd(context, call, wait, {
        answer: limits => asWriter(feed, () => feed.ask({ ...question, ...limits, onAsked })),
        handle: () => handle,
      })
      return described(ended)
    }),
  )

  server.registerTool('get_decision', GET_DECISION, ({ handle, key, channel, wait }, call) =>
    resultOf(context, call, async () => {
      const named = handle ?? (await latestOf(context, key, channel))
      const question = client.decision(named)
      const answer = (limits: WaitOptions) => question.wait(limits)
      return described(await waitForEnd(context, call, wait, { answer, handle: () => named }))
    }),
  )

  server.registerTool('cancel_question', CANCEL_QUESTION, ({ handle }, call) =>
    resultOf(context, call, async () => {
      const question = client.decision(handle)
      const feed = client.channel(handle.split('/', 1)[0])
      const decision = await asWriter(feed, () => question.cancel())
      return described({ decision, state: decision.state })
    }),
  )
}

/** A password is for a program, and a model would get it. Anything else than a field might ask a second question. */
function checkFields(fields: unknown[]): void {
  for (const [i, field] of fields.entries()) {
    const { data } = fieldKind.safeParse(field)
    if (!data) throw new ToolRefusal(`fields[${i}].type must be one of ${FORM_TYPES.join(', ')}`)
    if (data.input_type === 'password') throw new ToolRefusal(`fields[${i}] must not be a password input`)
  }
}

/** The handle of the newest question with this key. */
async function latestOf(
  context: ToolContext,
  key: string | undefined,
  channel: string | undefined,
): Promise<string> {
  if (key === undefined) throw new ToolRefusal('handle or key is required')
  const feed = await chosenChannel(context, channel)
  const { decisions } = await feed.decisions({ key, limit: 1 }).page()
  const [latest] = decisions
  if (!latest) throw new ToolRefusal('Decision not found')
  return `${latest.channel_id}/${latest.id}`
}
