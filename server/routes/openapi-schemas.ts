// The names of the API's schemas, and their translation to JSON Schema 2020-12, the dialect of OpenAPI 3.1.
import { z } from 'zod'
import { attributes, attributesBody } from '../../shared/attributes.ts'
import { BLOCK_DEFINITIONS, block, cardStateEntry, newBlock } from '../../shared/block.ts'
import { button, buttonPatch } from '../../shared/blocks/button.ts'
import { kvRow } from '../../shared/blocks/rows.ts'
import { card, cardList, createCardBody, deletedCard, patchCardBody, patchedCard } from '../../shared/card.ts'
import {
  channelWithActions,
  createChannelBody,
  createdChannel,
  listedChannel,
  patchChannelBody,
} from '../../shared/channel.ts'
import { decision, fullDecision, fullDecisionList, newDecision } from '../../shared/decision.ts'
import { decisionError, errorBody, errorCode } from '../../shared/error.ts'
import { createdHeaderAction, createHeaderActionBody, headerAction } from '../../shared/header-action.ts'
import { interaction, interactionList, trigger, webhookRequest } from '../../shared/interaction.ts'
import { signedDecision } from '../../shared/signed-decision.ts'
import { listedWorkspace } from '../../shared/workspace.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema
export type Io = 'input' | 'output'

export const documentedPatch = patchCardBody.extend({
  blocks: z
    .array(
      z.object({
        id: z.string().meta({ description: 'The block.' }),
        patch: z
          .union(Object.values(BLOCK_DEFINITIONS).map(({ patch }) => patch))
          .meta({ description: 'The fields to change. The block’s type decides which there are.' }),
      }),
    )
    .optional(),
})

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
/** One of the schemas of each block type, by name. */
const ofBlocks = (part: 'schema' | 'sent' | 'patch'): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(BLOCK_DEFINITIONS).map(([type, definition]) => [
      `${capital(type)}Block`,
      definition[part],
    ]),
  )
const renamed = (schemas: Record<string, z.ZodType>, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [rename(name), schema]))

const named: Record<Io, Record<string, z.ZodType>> = {
  input: {
    NewCard: createCardBody,
    NewBlock: newBlock,
    ...renamed({ ...ofBlocks('sent'), Button: button, KvRow: kvRow }, name => `New${name}`),
    NewDecision: newDecision,
    CardPatch: documentedPatch,
    ...renamed(ofBlocks('patch'), name => `${name}Patch`),
    ButtonPatch: buttonPatch,
    NewChannel: createChannelBody,
    ChannelPatch: patchChannelBody,
    NewHeaderAction: createHeaderActionBody,
    AttributeChanges: attributesBody,
  },
  output: {
    Error: errorBody,
    ErrorCode: errorCode,
    DecisionError: decisionError,
    Card: card,
    CardList: cardList,
    PatchedCard: patchedCard,
    DeletedCard: deletedCard,
    Block: block,
    ...ofBlocks('schema'),
    Button: button,
    KvRow: kvRow,
    Channel: channelWithActions,
    ListedChannel: listedChannel,
    CreatedChannel: createdChannel,
    HeaderAction: headerAction,
    CreatedHeaderAction: createdHeaderAction,
    Attributes: attributes,
    Workspace: listedWorkspace,
    Decision: decision,
    FullDecision: fullDecision,
    FullDecisionList: fullDecisionList,
    SignedDecision: signedDecision,
    Interaction: interaction,
    InteractionList: interactionList,
    Trigger: trigger,
    CardStateEntry: cardStateEntry,
    WebhookRequest: webhookRequest,
  },
}

export type Translated = {
  components: Record<string, JsonSchema>
  of: (schema: z.ZodType, io: Io) => JsonSchema
}

export function translate(more: Record<Io, z.ZodType[]>): Translated {
  const input = translateAll('input', more.input)
  const output = translateAll('output', more.output)
  const components = { ...input.components, ...output.components }
  for (const schema of Object.values(components)) addDiscriminator(schema, components)
  return { components, of: (schema, io) => (io === 'input' ? input : output).of(schema) }
}

function translateAll(io: Io, more: z.ZodType[]) {
  const names = new Map(Object.entries(named[io]).map(([name, schema]) => [schema, name]))
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  for (const [i, schema] of more.entries()) if (!names.has(schema)) registry.add(schema, { id: `more ${i}` })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: id => `#/components/schemas/${id}`,
    // Those schemas describe themselves with `meta`; a test checks that.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'input') return
      // Responses have every field, and may gain others.
      delete jsonSchema.default
      if (zodSchema._zod.def.type === 'object' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties
    },
  })
  const plain = (id: string): JsonSchema => {
    const { $id: _, $schema: __, ...schema } = schemas[id] ?? {}
    return schema
  }
  const translations = new Map(
    more.map((schema, i): [z.ZodType, JsonSchema] => {
      const name = names.get(schema)
      return [schema, name === undefined ? plain(`more ${i}`) : { $ref: `#/components/schemas/${name}` }]
    }),
  )
  return {
    components: Object.fromEntries(Object.keys(named[io]).map(name => [name, plain(name)])),
    of: (schema: z.ZodType): JsonSchema => {
      const translation = translations.get(schema)
      if (!translation) throw new Error('a schema was not translated')
      return translation
    },
  }
}

/** Tells code generators which field decides between the schemas of a union. */
function addDiscriminator(schema: JsonSchema, components: Record<string, JsonSchema>): void {
  const refs = schema.oneOf?.map(({ $ref }) => $ref) ?? []
  const mapping: Record<string, string> = {}
  for (const ref of refs) {
    const type = ref && components[ref.split('/').at(-1) ?? '']?.properties?.type
    if (!ref || typeof type !== 'object' || typeof type.const !== 'string') return
    mapping[type.const] = ref
  }
  if (refs.length > 0) schema.discriminator = { propertyName: 'type', mapping }
}
