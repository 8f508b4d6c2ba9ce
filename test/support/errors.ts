// Error responses, for toMatchObject.
export const failed = (status: number, error: string) => ({ status, body: { error } })

export const invalid = (error: string) => failed(400, error)
export const forbidden = (error: string) => failed(403, error)
export const unauthorized = failed(401, 'Unauthorized')
export const denied = forbidden('Access denied')
export const notFound = (thing?: string) => failed(404, thing ? `${thing} not found` : 'Not found')

/** Rows of bodies in which one field breaks a rule, each with the message. */
export const wrong = (
  field: string,
  rule: string,
  ...values: unknown[]
): [Record<string, unknown>, string][] => values.map(value => [{ [field]: value }, `${field} ${rule}`])
