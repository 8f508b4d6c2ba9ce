// Which channels of a workspace are shown: by the words that one looks for, and by the values of attributes. Pure.
import type { AttributeSetting } from '../../shared/attributes.ts'
import type { ShownChannel } from '../../shared/workspace-live.ts'

/** By attribute key, the value that a channel must have. */
export type Chosen = ReadonlyMap<string, string>
export type FilterValue = { value: string; count: number; chosen: boolean }
export type FilterGroup = { key: string; values: FilterValue[] }
type Searched = Pick<ShownChannel, 'name' | 'description' | 'attributes'>
type Attributed = Pick<ShownChannel, 'attributes'>
type Label = { key: string; value: string }

/** Every word stands somewhere in the name, the description or a value, whatever its case and accents. */
export function matchesWords(channel: Searched, words: string): boolean {
  const { name, description, attributes } = channel
  const text = fold([name, description ?? '', ...Object.values(attributes)].join('\n'))
  return fold(words)
    .split(/\s+/)
    .every(word => text.includes(word))
}

export function hasValues({ attributes }: Attributed, chosen: Chosen): boolean {
  return [...chosen].every(([key, value]) => attributeOf(attributes, key) === value)
}

/**
 * The buttons above a list: a group for every key that is a filter here, with the values that its channels have.
 * A count tells how many of those that are `found` would be shown with that value, beside what is chosen in other groups.
 */
export function filterGroups<Channel extends Attributed>(
  settings: AttributeSetting[],
  channels: Channel[],
  isFound: (channel: Channel) => boolean,
  chosen: Chosen,
): FilterGroup[] {
  const keys = settings.filter(setting => setting.use_as_filter).map(({ key }) => key)
  return keys
    .map(key => {
      const others = new Map([...chosen].filter(([other]) => other !== key))
      const counts = new Map<string, number>()
      for (const channel of channels) {
        const value = attributeOf(channel.attributes, key)
        if (value === undefined) continue
        const counted = isFound(channel) && hasValues(channel, others)
        counts.set(value, (counts.get(value) ?? 0) + (counted ? 1 : 0))
      }
      const values = [...counts].map(([value, count]) => ({
        value,
        count,
        chosen: value === chosen.get(key),
      }))
      return { key, values: values.sort((a, b) => compareNames(a.value, b.value)) }
    })
    .filter(({ values }) => values.length > 0)
}

/** What is chosen and still can be: a filter that was taken away, or a value that no channel has, hides nothing. */
export function stillChosen(settings: AttributeSetting[], channels: Attributed[], chosen: Chosen): Chosen {
  const isThere = ([key, value]: [string, string]) =>
    settings.some(setting => setting.key === key && setting.use_as_filter) &&
    channels.some(({ attributes }) => attributeOf(attributes, key) === value)
  return new Map([...chosen].filter(isThere))
}

/** The values that stand beside a channel's name, in the order of their keys. */
export function labelsOf(
  settings: AttributeSetting[],
  { attributes }: Pick<Searched, 'attributes'>,
): Label[] {
  return settings.flatMap(({ key, show_in_sidebar }) => {
    const value = attributeOf(attributes, key)
    return show_in_sidebar && value !== undefined ? [{ key, value }] : []
  })
}

/** A key may have the name of what every object has. */
function attributeOf(attributes: Record<string, string>, key: string): string | undefined {
  return Object.keys(attributes).includes(key) ? attributes[key] : undefined
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const compareNames = (a: string, b: string) => collator.compare(a, b)

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
