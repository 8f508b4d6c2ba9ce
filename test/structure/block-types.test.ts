// A block type is named in its own files and in the registries, and elsewhere only for a reason.
import { expect, test } from 'vitest'
import { block } from '../../shared/block.ts'
import { FORM_TYPES } from '../../shared/form-block.ts'
import { importsOf, sourcesOf, textOf } from './imports.ts'

const TYPES: string[] = block.options.map(({ shape }) => shape.type.value)

const REGISTRIES = ['shared/block.ts', 'web/card/block.tsx', 'web/block-kinds/block-kinds.ts']
const FORM_REGISTRY = 'shared/form-block.ts'

const filesOf = (type: string) => [
  `shared/blocks/${type}.ts`,
  `web/card/blocks/${type}.tsx`,
  `web/block-kinds/${type}.ts`,
]
const valueFileOf = (type: string) => `shared/blocks/${type}-value.ts`

type Exception = { types: string[]; files: RegExp; reason: string }

const EXCEPTIONS: Exception[] = [
  {
    types: ['button'],
    files:
      /^(server\/(decisions|feed|model)\/|shared\/(card|card-patch|channel-doc|decision-rules)\.ts|web\/builder\/|web\/card\/needs-you\.ts|web\/feed\/interaction-notes\.tsx)/,
    reason: 'questions and receipts belong to buttons, and the ids of buttons are unique in the card',
  },
  {
    types: ['kv'],
    files: /^(server\/feed\/document\/card-map|shared\/channel-doc|web\/builder\/card-patch-body)\.ts$/,
    reason: 'appended rows are small changes, in the document and in a PATCH',
  },
  {
    types: ['multiselect'],
    files: /^web\/builder\/card-patch-body\.ts$/,
    reason: 'a PATCH can’t remove its label',
  },
  {
    types: ['text', 'badge', 'kv'],
    files: /^web\/card\/(card-layout\.ts|decision\/decision-block\.tsx)$/,
    reason: 'texts and badges form the head of a card, and its words say in which direction people read it',
  },
  {
    types: ['text', 'button'],
    files: /^client\/ask\.ts$/,
    reason: 'a question is a card of its own',
  },
  {
    types: ['text', 'badge', 'input', 'select', 'toggle'],
    files: /^client\/review(-form)?\.ts$/,
    reason: 'a review is a card of its own, with a field for each argument',
  },
  {
    types: ['text', 'badge', 'kv', 'input', 'toggle'],
    files: /^client\/cli\/(new-card|ask-flags)\.ts$/,
    reason: 'flags of the command line become blocks',
  },
  {
    types: ['text'],
    files: /^client\/mcp\/context\.ts$/,
    reason: 'the results of tools have texts too',
  },
  {
    types: ['text'],
    files: /^client\/verify\.ts$/,
    reason: 'arguments are shown as plain text, which says all of it',
  },
  {
    types: TYPES,
    files:
      /^(server\/(demo|hooks\/[\w-]+|routes\/(examples|openapi-webhook))|web\/(builder\/card-examples|dashboard\/push-command|pages\/welcome))\.tsx?$/,
    reason: 'these are whole cards: examples, the demo, and the questions of coding agents',
  },
]

/** Other words of the code, such as events and HTML elements: these count only where they name a type. */
const COMMON = ['text', 'button', 'image', 'input', 'select']
const rare = TYPES.filter(type => !COMMON.includes(type)).join('|')
const NAMED = new RegExp(`'(${rare})'|(?:\\btype(?:: | [!=]== )|BlockOf<|case )'(${TYPES.join('|')})'`, 'g')

const sources = ['server', 'shared', 'client', 'web'].flatMap(sourcesOf)
const typesNamedIn = (path: string) => [
  ...new Set([...textOf(path).matchAll(NAMED)].map(([, rare, any]) => rare ?? any ?? '')),
]
const isOwn = (path: string, type: string) => [...filesOf(type), valueFileOf(type)].includes(path)
const mentions = sources.flatMap(path =>
  typesNamedIn(path)
    .filter(type => !isOwn(path, type))
    .map(type => ({ path, type })),
)
const covers = ({ types, files }: Exception, { path, type }: (typeof mentions)[number]) =>
  types.includes(type) && files.test(path)

test('no other file names a block type', () => {
  const strays = mentions.filter(mention => !EXCEPTIONS.some(exception => covers(exception, mention)))
  expect(strays).toEqual([])
})

test('every exception is needed', () => {
  const unused = EXCEPTIONS.filter(exception => !mentions.some(mention => covers(exception, mention)))
  expect(unused.map(({ reason }) => reason)).toEqual([])
})

test.each(TYPES)('%s has its files, and the registries import them', type => {
  const isField = FORM_TYPES.some(form => form === type)
  const files = isField ? [...filesOf(type), valueFileOf(type)] : filesOf(type)
  const registries = isField ? [...REGISTRIES, FORM_REGISTRY] : REGISTRIES
  expect(sources.filter(path => isOwn(path, type)).sort()).toEqual([...files].sort())
  const imported = registries.flatMap(importsOf).map(({ to }) => to)
  expect(files.filter(file => !imported.includes(file))).toEqual([])
})
