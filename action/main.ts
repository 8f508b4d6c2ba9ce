// The step `ask` of a GitHub workflow: asks on a card, waits for a person, and succeeds only if they press the first choice.
// The runner starts this file as it is, so it uses nothing but Node and the client.
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { ChannelFeed } from '../client/channel-feed.ts'
import { secondsIn } from '../client/duration.ts'
import { DecisionCancelled, DecisionExpired } from '../client/errors.ts'

const WHO = ['anyone', 'signed_in', 'members', 'owner'] as const
const COMMENTS = ['none', 'optional', 'required'] as const
const CLOSED: Record<DecisionCancelled['reason'], string> = {
  withdrawn: 'Somebody closed the question',
  replaced: 'The card was changed, which closed the question',
  deleted: 'The card was deleted',
  abandoned: 'The question was closed because this step lost its connection',
}
const INTERRUPTED = 130

const variable = (name: string) => (process.env[name] ?? '').trim()
/** The runner keeps hyphens. */
const input = (name: string) => variable(`INPUT_${name.toUpperCase()}`)

function requiredInput(name: string): string {
  const value = input(name)
  if (value === '') throw new Error(`${name} is required`)
  return value
}

const partsOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map(part => part.trim())
    .filter(part => part !== '')

function readComment() {
  const given = input('comment') || 'optional'
  const comment = COMMENTS.find(rule => rule === given)
  if (!comment) throw new Error(`comment must be one of ${COMMENTS.join(', ')}`)
  return comment
}

function readExpiry(): number | null {
  const given = input('expires-in')
  const seconds = given === '' ? null : secondsIn(given)
  if (given !== '' && seconds === null) throw new Error('expires-in must be a time such as 45m, 1h or 2d')
  return seconds
}

type Question = ReturnType<typeof readQuestion>

function readQuestion() {
  const who = input('who') || 'anyone'
  return {
    question: requiredInput('question'),
    details: input('details'),
    choices: input('choices') === '' ? undefined : partsOf(input('choices'), '\n'),
    who: WHO.find(name => name === who) ?? partsOf(who, ','),
    comment: readComment(),
    expires_in: readExpiry(),
  }
}

/** What is above the buttons: the question, and where it comes from. */
function blocksOf({ question, details }: Question) {
  const repository = variable('GITHUB_REPOSITORY')
  const run = variable('GITHUB_RUN_ID')
  const rows = [
    { key: 'Repository', value: repository },
    { key: 'Ref', value: variable('GITHUB_REF_NAME') },
    { key: 'Commit', value: variable('GITHUB_SHA') },
    { key: 'Workflow', value: variable('GITHUB_WORKFLOW') },
    { key: 'Actor', value: variable('GITHUB_ACTOR') },
    { key: 'Run', value: run && `${variable('GITHUB_SERVER_URL')}/${repository}/actions/runs/${run}` },
  ].filter(({ value }) => value !== '')
  return [
    { type: 'text' as const, content: question, size: 'lg' as const, bold: true },
    ...(details === '' ? [] : [{ type: 'text' as const, content: details }]),
    ...(rows.length === 0 ? [] : [{ type: 'kv' as const, rows }]),
  ]
}

/** Tells the runner something. It reads line by line, so the text must be one line. */
function tell(command: 'add-mask' | 'notice' | 'error', text: string): void {
  const line = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  process.stdout.write(`::${command}::${line}\n`)
}

function append(file: string, text: string): void {
  const path = variable(file)
  if (path !== '') appendFileSync(path, text)
}

/** No value contains the delimiter, so none can add an output of its own. */
function setOutputs(outputs: Record<string, string>): void {
  const delimiter = `end-${randomUUID()}`
  const lines = Object.entries(outputs).map(
    ([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`,
  )
  append('GITHUB_OUTPUT', lines.join(''))
}

/** As text in one line of Markdown. */
const plain = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[!-/:-@[-`{-~]/g, '\\$&')

function summarize({ question }: Question, outcome: string): void {
  append('GITHUB_STEP_SUMMARY', `### ${plain(question)}\n\n${plain(outcome)}\n`)
}

function wordsOfFailure(error: unknown): string {
  if (error instanceof DecisionExpired) return `Nobody decided before ${timeOf(error.decision?.expires_at)}`
  if (error instanceof DecisionCancelled) return CLOSED[error.reason]
  return error instanceof Error ? error.message : String(error)
}

const timeOf = (at: string | null | undefined) =>
  at ? new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }) : 'the deadline'

/** Returns the exit code. */
async function ask(signal: AbortSignal): Promise<number> {
  const key = requiredInput('key')
  tell('add-mask', key)
  const question = readQuestion()
  const feed = new ChannelFeed({ url: requiredInput('url'), key }).channel(requiredInput('channel'))
  const answer = await feed
    .ask({
      ...question,
      blocks: blocksOf(question),
      abandon: 'cancel',
      signal,
      onAsked: ({ handle, url }) => {
        setOutputs({ approved: 'false', url, handle })
        tell('notice', `Waiting: ${url}`)
      },
    })
    .catch(error => {
      summarize(question, wordsOfFailure(error))
      throw error
    })
  const outcome = `${answer.by.name ?? 'Someone'} chose ${answer.label}`
  const words = answer.comment ? `${outcome}: ${answer.comment}` : outcome
  setOutputs({
    choice: answer.choice,
    label: answer.label,
    approved: String(answer.approved),
    by: answer.by.name ?? '',
    comment: answer.comment ?? '',
    values: JSON.stringify(answer.values),
    jws: answer.jws ?? '',
  })
  summarize(question, words)
  if (answer.approved) return 0
  tell('error', words)
  return 1
}

const stopped = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'])
  process.on(name, () => stopped.abort(new Error('The run was cancelled, which closed the question')))
const code = await ask(stopped.signal).catch(error => {
  tell('error', wordsOfFailure(error))
  return stopped.signal.aborted ? INTERRUPTED : 1
})
process.exit(code)
