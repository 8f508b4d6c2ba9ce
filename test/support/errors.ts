// Error responses, for toMatchObject.
const error = (status: number) => (message: string) => ({ status, body: { error: message } })

export const invalid = error(400)
export const forbidden = error(403)
export const unauthorized = error(401)('Unauthorized')
export const denied = forbidden('Access denied')
export const notFound = (thing?: string) => error(404)(thing ? `${thing} not found` : 'Not found')
