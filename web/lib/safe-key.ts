// Keys of plain objects for ids that come from outside: an automation may call a block `constructor` or `valueOf`.

/** The id itself, but for names that every object has already. No two ids have the same key. */
export function ownKey(id: string): string {
  return id.startsWith('#') || id in Object.prototype ? `#${id}` : id
}
