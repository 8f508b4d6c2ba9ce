/**
 * A key for a plain object that is safe for any id: an automation may call a block `constructor` or `valueOf`. Different
 * ids have different keys.
 */
export function safeKey(id: string): string {
  return id.startsWith('#') || id in Object.prototype ? `#${id}` : id
}
