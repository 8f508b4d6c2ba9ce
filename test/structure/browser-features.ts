// Which features of pages a browser lacks, and how their names look in a source. The data comes from web-features (W3C).
import { features } from 'web-features'
import { oldestBrowsers } from '../../web/build/browsers.ts'

type Support = { [name: string]: string | undefined }

/** Two browsers have other names in the data. */
const NAMES = new Map([['ios', 'safari_ios']])
const LISTED = oldestBrowsers().map(({ name, version }) => ({ name: NAMES.get(name) ?? name, version }))

const hasSince = (support: Support, name: string) => Number(support[name]?.replace('≤', '') ?? Infinity)
const isLacking = (support: Support) => LISTED.some(({ name, version }) => hasSince(support, name) > version)

/** TypeScript has no types for what a single engine has, so a script with it doesn't compile. */
const isTyped = (support: Support) =>
  ['chrome', 'firefox', 'safari'].filter(name => hasSince(support, name) < Infinity).length >= 2

/** The feature as a script, an attribute or a style names it; undefined for what has no name of its own. */
function nameOf(key: string): string | undefined {
  const [kind, group = '', owner = '', name = ''] = key.split('.')
  const depth = key.split('.').length
  if (kind === 'api') return group && apiName(group, owner, depth)
  if (kind === 'javascript' && group === 'builtins') return apiName(owner, name, depth - 1)
  if (kind === 'html' && depth === 3 && group === 'global_attributes') return `${owner}=`
  if (kind === 'html' && depth === 4 && group === 'elements') return `${name}=`
  return kind === 'css' ? styleName(group, owner, name) : undefined
}

function apiName(owner: string, name: string, depth: number): string | undefined {
  if (depth === 2) return owner
  if (depth !== 3 || owner === name) return undefined
  if (name.endsWith('_static')) return `${owner}.${name.replace('_static', '')}`
  return name.endsWith('_event') ? `'${name.replace('_event', '')}'` : `.${name}`
}

function styleName(group: string, owner: string, name: string): string | undefined {
  if (group === 'properties') return name === '' ? `${owner}:` : `${owner}: ${name}`
  if (group === 'selectors') return name === '' ? `:${owner}` : undefined
  if (group === 'at-rules') return name === '' ? `@${owner}` : undefined
  return group === 'types' ? `${name || owner}(` : undefined
}

/** Names of which no meaning works in every listed browser. `.values` of one interface may be new, but not of all. */
export function lackingNames(): string[] {
  const supports = new Map<string, Support[]>()
  for (const feature of Object.values(features)) {
    if (feature.kind !== 'feature') continue
    for (const key of feature.compat_features ?? []) {
      const name = nameOf(key)
      if (name === undefined) continue
      const support = feature.status.by_compat_key?.[key]?.support ?? feature.status.support
      supports.set(name, [...(supports.get(name) ?? []), { ...support }])
    }
  }
  const isStyle = (name: string) => /[:@(=]/.test(name)
  return [...supports]
    .filter(([name, all]) => all.every(isLacking) && (isStyle(name) || all.some(isTyped)))
    .map(([name]) => name)
}
