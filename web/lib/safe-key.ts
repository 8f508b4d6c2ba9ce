/** A key for a plain object: automations may call a block `constructor`. Different ids get different keys. */
export const safeKey = (id: string) => (id.startsWith('#') || id in Object.prototype ? `#${id}` : id)
