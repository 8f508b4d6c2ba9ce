/** A safe key in a plain object for any id, because an automation may call a block `constructor`. Keys of ids differ. */
export const safeKey = (id: string) => (id.startsWith('#') || id in Object.prototype ? `#${id}` : id)
