// Asks what an agent wants to know: the tool `AskUserQuestion` of Claude Code. No choice approves anything.
import { z } from 'zod'
import { hasRepeats } from '../../shared/characters.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { type ShownText, shownText, tooLongToShow } from '../../shared/shown-arguments.ts'
import {
  type Choices,
  type HookBlock,
  type HookOptions,
  type HookOutcome,
  type HookPlan,
  type HostName,
  hookCard,
  type ToolCall,
} from './hook.ts'
import { hiddenBadge, paragraph, shownLine, titleOfCall } from './shown-call.ts'

/** More options are a list to choose from. */
const OPTION_BUTTONS_MAX = 6
const OTHER = 'other'
const OTHER_LABEL = 'Something else'

/** Strict: the host asks what a card can't show, such as previews. */
const question = z.strictObject({
  question: z.string().min(1),
  header: z.string().optional(),
  options: z.array(z.strictObject({ label: z.string().min(1), description: z.string().optional() })).min(1),
  multiSelect: z.boolean().optional(),
})
const questionsInput = z.strictObject({ questions: z.array(question).min(1) })
type AgentQuestion = z.output<typeof question>

/** `answerTo`: what the person answered to a question; null if they said nothing. */
type QuestionForm = {
  blocks: HookBlock[]
  choices: Choices
  answerTo: (outcome: HookOutcome, index: number) => string | null
}

/** Null if a card can't show all of it, or if the answer can't tell two questions apart. */
export function planQuestions(host: HostName, call: ToolCall, options: HookOptions): HookPlan | null {
  const { tool_input } = call
  const parsed = questionsInput.safeParse(tool_input)
  if (!parsed.success || !isJsonObject(tool_input)) return null
  const { questions } = parsed.data
  if (hasRepeats(questions.map(({ question }) => question))) return null
  const texts = new QuestionTexts()
  const { blocks, choices, answerTo } = formOf(questions, texts)
  if (tooLongToShow(texts.shown.map(({ text }) => text)) !== null) return null
  const title = titleOfCall(host.title, call)
  const head = [paragraph('title', title.text), ...hiddenBadge([title, ...texts.shown])]
  const card = hookCard(host, call, [...head, ...blocks], choices, options)
  if (!card) return null
  const answer = (outcome: HookOutcome | null) => {
    if (!outcome) return {}
    const answers = questions.map(({ question }, i) => [question, answerTo(outcome, i)] as const)
    if (answers.some(([, words]) => words === null)) return {}
    const updatedInput = { ...tool_input, answers: Object.fromEntries(answers) }
    return {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput },
    }
  }
  return { kind: 'ask', call, card, answer }
}

/** Makes the texts of a card visible, and remembers them. */
class QuestionTexts {
  readonly shown: ShownText[] = []

  line(text: string): string {
    return this.#add(shownLine(text))
  }

  lines(text: string): string {
    return this.#add(shownText(text))
  }

  #add(shown: ShownText): string {
    this.shown.push(shown)
    return shown.text
  }
}

function formOf(questions: AgentQuestion[], texts: QuestionTexts): QuestionForm {
  const [first, ...others] = questions
  const has_few = first && first.options.length <= OPTION_BUTTONS_MAX
  return has_few && !first.multiSelect && others.length === 0
    ? formOfButtons(first, texts)
    : formOfFields(questions, texts)
}

function formOfButtons(asked: AgentQuestion, texts: QuestionTexts): QuestionForm {
  const buttons = asked.options.map(({ label }, i) => ({
    id: `o${i}`,
    label: texts.line(label),
    style: 'secondary' as const,
  }))
  const other = { id: OTHER, label: OTHER_LABEL, style: 'secondary', comment: 'required' } as const
  return {
    blocks: wordsOf(asked, 0, texts),
    choices: { buttons: [...buttons, other], approves: null },
    answerTo: ({ button_id, comment }) => chosenWords(asked, [button_id], comment),
  }
}

function formOfFields(questions: AgentQuestion[], texts: QuestionTexts): QuestionForm {
  const blocks = questions.flatMap((asked, i): HookBlock[] => {
    const options = asked.options.map(({ label }, j) => ({ value: `o${j}`, label: texts.line(label) }))
    const choice = {
      id: `q${i}`,
      options: [...options, { value: OTHER, label: OTHER_LABEL }],
      required: true,
    }
    return [
      ...wordsOf(asked, i, texts),
      asked.multiSelect
        ? { type: 'multiselect', label: 'Choose any number', ...choice }
        : { type: 'select', label: 'Choose one', ...choice },
      { type: 'input', id: `x${i}`, label: OTHER_LABEL, multiline: true },
    ]
  })
  return {
    blocks,
    choices: { buttons: [{ id: 'send', label: 'Send', style: 'primary' }], approves: null },
    answerTo({ values }, i) {
      const [asked, chosen, words] = [questions[i], values[`q${i}`], values[`x${i}`]]
      const ids = typeof chosen === 'string' ? [chosen] : Array.isArray(chosen) ? chosen : []
      return asked ? chosenWords(asked, ids, typeof words === 'string' ? words : null) : null
    },
  }
}

/** Header, question, and what the agent says about its options. */
function wordsOf({ header, question, options }: AgentQuestion, i: number, texts: QuestionTexts): HookBlock[] {
  const rows = options.flatMap(({ label, description }) =>
    description ? [{ key: texts.line(label), value: texts.lines(description) }] : [],
  )
  const blocks: HookBlock[] = []
  if (header) blocks.push({ type: 'text', id: `header-${i}`, content: texts.line(header), bold: true })
  blocks.push(paragraph(`question-${i}`, texts.lines(question)))
  if (rows.length > 0) blocks.push({ type: 'kv', id: `options-${i}`, rows })
  return blocks
}

/** The labels of the chosen options. `words` stand for "Something else"; null if they are missing. */
function chosenWords({ options }: AgentQuestion, ids: string[], words: string | null): string | null {
  const chosen = ids.map(id => {
    if (id === OTHER) return words?.trim() || null
    return options.find((_, i) => id === `o${i}`)?.label ?? null
  })
  const labels = chosen.filter(label => label !== null)
  return labels.length > 0 && labels.length === chosen.length ? labels.join(', ') : null
}
