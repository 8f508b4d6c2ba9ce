// While a Japanese, Chinese or Korean word is converted, keys belong to the input method. `onKey` decides that for every
// listener.
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

const RIGHT = /(onKeyDown|on:keydown)=\{onKey\(|onKeyDown: onKey\(|onKeyDown = onKey\(|'keydown',\s+onKey\(/g
/** A listener with this name is a constant, made by `onKey`. */
const NAMED = /(add|remove)EventListener\('keydown', onKeyDown/g
/** A declaration is no listener yet, nor is what `onKey` gets. */
const ANY = /'key(down|press|up)'|on:key|\bonKey(Down|Press|Up)\b(?![()])/

test('every listener for keys ignores those of an input method', () => {
  const without = sourcesOf('web').filter(path => {
    const text = textOf(path)
    const rest = text.replace(RIGHT, '').replace(NAMED, text.includes('const onKeyDown = onKey(') ? '' : '$&')
    return ANY.test(rest)
  })
  expect(without).toEqual([])
})

test('only on-key.ts asks whether a key belongs to an input method', () => {
  const asking = sourcesOf('web').filter(path => /keyCode|isComposing/.test(textOf(path)))
  // An InputEvent has `isComposing` too.
  expect(asking.sort()).toEqual(['web/card/blocks/input.tsx', 'web/lib/on-key.ts'])
})
