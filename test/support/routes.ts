// Every channel route of both /api/v1 and /api, with a valid and an invalid body.
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: (ids: { channel: string; card: string }) => string
  /** The scope that a key needs. */
  need: 'read' | 'write' | 'full'
  body?: object
  invalidBody?: object
}

const route = (
  method: Route['method'],
  path: string,
  need: Route['need'],
  body?: object,
  invalidBody?: object,
) => ({
  method,
  path: (ids: { channel: string; card: string }) =>
    `/channels/${ids.channel}${path}`.replace(':cardId', ids.card),
  need,
  ...(body && { body, invalidBody }),
})

const divider = { blocks: [{ type: 'divider' }] }
const byKey = '/cards/by-key/k'

export const CARD_ROUTES: Route[] = [
  route('GET', '/cards/:cardId', 'read'),
  route('GET', byKey, 'read'),
  route('PATCH', '/cards/:cardId', 'write', { status: 'success' }, { status: 1 }),
  route('PATCH', byKey, 'write', { status: 'success' }, { status: 1 }),
  route('DELETE', byKey, 'write'),
  route('DELETE', '/cards/:cardId', 'write'),
]

export const CHANNEL_ROUTES: Route[] = [
  route('GET', '', 'read'),
  route('GET', '/cards', 'read'),
  route('POST', '/cards', 'write', divider, {}),
  route('PUT', byKey, 'write', divider, {}),
  ...CARD_ROUTES,
  route('GET', '/actions', 'read'),
  route('POST', '/actions', 'write', { label: 'Go' }, {}),
  route('GET', '/interactions', 'read'),
  route('GET', '/decisions', 'read'),
  route('GET', '/attributes', 'read'),
  route('PUT', '/attributes', 'write', { a: 'b' }, { a: 1 }),
  route('PATCH', '', 'full', { name: 'New' }, { name: '' }),
  route('DELETE', '', 'full'),
]

export const nameOf = ({ method, path }: Route) =>
  `${method} ${path({ channel: ':channelId', card: ':cardId' })}`
