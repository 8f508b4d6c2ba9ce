// A database that cannot be started, used or migrated. Its message is one line that says what to do.
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}
