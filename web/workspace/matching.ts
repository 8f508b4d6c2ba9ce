// Matches channels of a workspace by text and by attribute values. Pure.
import type { AttributeSetting } from '../../shared/attributes.ts'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { fold } from '../lib/folded-text.ts'

export type ChosenValues = ReadonlyMap<string, string>
export type FilterGroup = { key: string; values: { value: string; count: number; chosen: boolean }[] }
type Searched = Pick<PageChannel, 'name' | 'description' | 'attributes'>
type Attributed = Pick<PageChannel, 'attributes'>

/** Every word must be in the name, the description or a value. Case and accents don't matter. */
export function matchesText({ name, description, attributes }: Searched, text: string): boolean {
  const searched = fold([name, description ?? '', ...Object.values(attributes)].join('\n'))
  return fold(text)
    .split(/\s+/)
    .every(word => searched.includes(word))
}

export function hasValues({ attributes }: Attributed, chosen: ChosenValues): boolean {
  return [...chosen].every(([key, value]) => attributeOf(attributes, key) === value)
}

/** A group for each filter. A value's count is the number of found channels that remain if it's chosen too. */
export function filterGroups<Channel extends Attributed>(
  settings: AttributeSetting[],
  channels: Channel[],
  isFound: (channel: Channel) => boolean,
  chosen: ChosenValues,
): FilterGroup[] {
  const groups = settings
    .filter(({ use_as_filter }) => use_as_filter)
    .map(({ key }) => {
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
      return { key, values: values.sort((a, b) => collator.compare(a.value, b.value)) }
    })
  return groups.filter(({ values }) => values.length > 0)
}

/** Without values that no channel has and keys that are no longer filters: they must not hide channels. */
export function availableValues(
  settings: AttributeSetting[],
  channels: Attributed[],
  chosen: ChosenValues,
): ChosenValues {
  const exists = ([key, value]: [string, string]) =>
    settings.some(setting => setting.key === key && setting.use_as_filter) &&
    channels.some(({ attributes }) => attributeOf(attributes, key) === value)
  return new Map([...chosen].filter(exists))
}

export function labelsOf(settings: AttributeSetting[], { attributes }: Attributed) {
  return settings.flatMap(({ key, show_in_sidebar }) => {
    const value = attributeOf(attributes, key)
    return show_in_sidebar && value !== undefined ? [{ key, value }] : []
  })
}

/** A key may be `constructor`. Solid tracks Object.keys on a store, but not Object.hasOwn. */
export function attributeOf(attributes: Record<string, string>, key: string): string | undefined {
  return Object.keys(attributes).includes(key) ? attributes[key] : undefined
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
