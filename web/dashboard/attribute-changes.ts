// What the rows of a channel's attributes change. An empty value deletes an attribute, as in the API.
import { type Attributes, attributesBody } from '../../shared/attributes.ts'
import { Invalid, REQUIRED, validationErrors } from '../../shared/invalid.ts'
import { rejection } from '../data/checked-requests.ts'
import { attributeOf } from '../workspace/matching.ts'

/** `key` is null until the attribute is saved. */
export type AttributeRow = { id: string; key: string | null }

export const keyField = (rowId: string) => `key ${rowId}`
export const valueField = (rowId: string) => `value ${rowId}`

export const keysOf = (attributes: Attributes) =>
  Object.keys(attributes).filter(key => key !== 'created_at' && key !== 'updated_at')

/** The values to send, by key. Rows that nobody filled in are left out. Throws what the server would reject. */
export function changedAttributes(
  rows: AttributeRow[],
  values: Record<string, string>,
  saved: Attributes,
): Map<string, string> {
  const changed = new Map<string, string>()
  const taken = new Set(keysOf(saved))
  for (const row of rows) {
    const value = values[valueField(row.id)] ?? ''
    if (row.key === null) addNew(row, values[keyField(row.id)] ?? '', value)
    // A field drops line breaks. That isn't an edit.
    else if (value !== (attributeOf(saved, row.key) ?? '').replace(/[\r\n]/g, '')) set(row, row.key, value)
  }
  return changed

  function addNew(row: AttributeRow, key: string, value: string): void {
    if (key === '' && value === '') return
    if (key === '') throw rejection(new Invalid([keyField(row.id)], REQUIRED))
    // The API would delete an attribute without a value, and overwrite one that exists.
    if (value === '') throw rejection(new Invalid([valueField(row.id)], REQUIRED))
    if (taken.has(key.toLowerCase()))
      throw rejection(new Invalid([keyField(row.id)], 'is already in the list'))
    set(row, key, value)
    taken.add(key.toLowerCase())
  }

  function set(row: AttributeRow, key: string, value: string): void {
    changed.set(key, value)
    const [invalid] = validationErrors(attributesBody, Object.fromEntries([[key, value]]))
    if (!invalid) return
    const field = row.key === null ? keyField(row.id) : valueField(row.id)
    throw rejection(new Invalid([field], invalid.rule))
  }
}
