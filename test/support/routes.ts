// Every channel route of both /api/v1 and /api, with a valid and an invalid body.
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: (ids: { channel: string; card: string }) => string
  /** The permission that a key needs. */
  need: 'read' | 'write' | 'full'
  body?: object
  refused?: object
}

const divider = { blocks: [{ type: 'divider' }] }

export const CARD_ROUTES: Route[] = [
  { method: 'GET', path: at => `/channels/${at.channel}/cards/${at.card}`, need: 'read' },
  { method: 'GET', path: at => `/channels/${at.channel}/cards/by-key/k`, need: 'read' },
  {
    method: 'PATCH',
    path: at => `/channels/${at.channel}/cards/${at.card}`,
    need: 'write',
    body: { status: 'success' },
    refused: { status: 1 },
  },
  {
    method: 'PATCH',
    path: at => `/channels/${at.channel}/cards/by-key/k`,
    need: 'write',
    body: { status: 'success' },
    refused: { status: 1 },
  },
  { method: 'DELETE', path: at => `/channels/${at.channel}/cards/by-key/k`, need: 'write' },
  { method: 'DELETE', path: at => `/channels/${at.channel}/cards/${at.card}`, need: 'write' },
]

export const CHANNEL_ROUTES: Route[] = [
  { method: 'GET', path: at => `/channels/${at.channel}`, need: 'read' },
  { method: 'GET', path: at => `/channels/${at.channel}/cards`, need: 'read' },
  { method: 'POST', path: at => `/channels/${at.channel}/cards`, need: 'write', body: divider, refused: {} },
  {
    method: 'PUT',
    path: at => `/channels/${at.channel}/cards/by-key/k`,
    need: 'write',
    body: divider,
    refused: {},
  },
  ...CARD_ROUTES,
  { method: 'GET', path: at => `/channels/${at.channel}/actions`, need: 'read' },
  {
    method: 'POST',
    path: at => `/channels/${at.channel}/actions`,
    need: 'write',
    body: { label: 'Go' },
    refused: {},
  },
  { method: 'GET', path: at => `/channels/${at.channel}/attributes`, need: 'read' },
  {
    method: 'PUT',
    path: at => `/channels/${at.channel}/attributes`,
    need: 'write',
    body: { a: 'b' },
    refused: { a: 1 },
  },
  {
    method: 'PATCH',
    path: at => `/channels/${at.channel}`,
    need: 'full',
    body: { name: 'New' },
    refused: { name: '' },
  },
  { method: 'DELETE', path: at => `/channels/${at.channel}`, need: 'full' },
]

export const nameOf = ({ method, path }: Route) =>
  `${method} ${path({ channel: ':channelId', card: ':cardId' })}`
