// The database can't be started, used or migrated. The message is one line that says what to do.
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
