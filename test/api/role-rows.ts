// The matrix of rights: which role each route needs. role-matrix.test.ts drives every cell.
import type { Role } from '../../shared/role.ts'
import { PASSWORD } from '../support/scene.ts'

/** The lowest role that is allowed. `vis`: what the visibility allows anyone counts too. */
export type Right = { least: Role; vis: boolean }
const owner: Right = { least: 'owner', vis: false }
const editor: Right = { least: 'editor', vis: false }
const anyRole: Right = { least: 'viewer', vis: false }
export const sees: Right = { least: 'viewer', vis: true }
const acts: Right = { least: 'member', vis: true }

/** A malformed body: whoever is allowed gets 400 for it. `fresh`: the request destroys the team's workspace or channel. */
export type Row = { right: Right; body?: string; query?: string; fresh?: true }

const CHANNEL = '/channels/:channelId'
const WORKSPACE = '/workspaces/:id'
const MEMBER = `${WORKSPACE}/members/:userId`

/** Paths below /api and /api/v1. */
const RUNNING = [
  `GET ${CHANNEL}`,
  `PATCH ${CHANNEL}`,
  `GET ${CHANNEL}/cards`,
  `POST ${CHANNEL}/cards`,
  `GET ${CHANNEL}/cards/:cardId`,
  `PATCH ${CHANNEL}/cards/:cardId`,
  `DELETE ${CHANNEL}/cards/:cardId`,
  `GET ${CHANNEL}/cards/:cardId/decision`,
  `PUT ${CHANNEL}/cards/by-key/:key`,
  `GET ${CHANNEL}/cards/by-key/:key`,
  `PATCH ${CHANNEL}/cards/by-key/:key`,
  `DELETE ${CHANNEL}/cards/by-key/:key`,
  `GET ${CHANNEL}/cards/by-key/:key/decision`,
  `GET ${CHANNEL}/decisions`,
  `GET ${CHANNEL}/decisions/:decisionId`,
  `GET ${CHANNEL}/decisions/:decisionId/signed`,
  `DELETE ${CHANNEL}/decisions/:decisionId`,
  `GET ${CHANNEL}/actions`,
  `POST ${CHANNEL}/actions`,
  `GET ${CHANNEL}/attributes`,
  `PUT ${CHANNEL}/attributes`,
  `GET ${CHANNEL}/interactions`,
]

const shared = (): [string, Row][] => [
  ...RUNNING.map((route): [string, Row] => [route, { right: editor }]),
  [`DELETE ${CHANNEL}`, { right: editor, fresh: true }],
  ['GET /channels', { right: editor, query: '?workspace_id=:id' }],
  ['POST /channels', { right: editor, body: '{"name": "New", "workspace_id": ":id"}' }],
]

const withBodies = (route: string, rows: [Right, string][]): [string, Row][] =>
  rows.map(([right, body]) => [route, { right, body }])

export const ROWS: [string, Row][] = [
  ...shared(),
  ...[
    `PUT ${CHANNEL}/actions/order`,
    `PUT ${CHANNEL}/actions/:actionId`,
    `PATCH ${CHANNEL}/actions/:actionId`,
    `DELETE ${CHANNEL}/actions/:actionId`,
    `GET ${CHANNEL}/deliveries/:deliveryId`,
    `POST ${CHANNEL}/interactions/:interactionId/redeliver`,
    `POST ${CHANNEL}/webhook-test`,
    `GET ${CHANNEL}/webhook-secret`,
    `POST ${CHANNEL}/webhook-secret`,
    `GET ${WORKSPACE}/slug-check`,
    `GET ${WORKSPACE}/attribute-settings`,
    `PUT ${WORKSPACE}/attribute-settings`,
    `GET ${WORKSPACE}/members`,
    `GET ${WORKSPACE}/invites`,
  ].map((route): [string, Row] => [route, { right: editor }]),
  ['GET /usage', { right: editor, query: '?workspace_id=:id' }],
  [`GET ${WORKSPACE}`, { right: anyRole }],
  ...withBodies(`PATCH ${WORKSPACE}`, [
    [editor, '{"name": "Team"}'],
    [editor, '{"icon": "🏢"}'],
    [editor, '{"layout": "list"}'],
    [editor, '{"show_search": true}'],
    [editor, '{"custom_slug": null}'],
    [owner, '{"visibility": ":visibility"}'],
    [owner, `{"name": "Team", "password": "${PASSWORD}"}`],
  ]),
  [`DELETE ${WORKSPACE}`, { right: owner, fresh: true }],
  [`POST ${WORKSPACE}/transfer`, { right: owner }],
  [`GET ${WORKSPACE}/api-keys`, { right: owner }],
  [`DELETE ${WORKSPACE}/api-keys/:keyId`, { right: owner }],
  ...withBodies(`POST ${WORKSPACE}/invites`, [
    [editor, '{"role": "member"}'],
    [editor, '{"role": "viewer"}'],
    [owner, '{"role": "editor"}'],
  ]),
  [`DELETE ${WORKSPACE}/invites/:inviteId`, { right: editor }],
  // An unknown member. test/api/members.test.ts has the rules for those that exist.
  [`PATCH ${MEMBER}`, { right: editor, body: '{"role": "member"}' }],
  [`DELETE ${MEMBER}`, { right: editor }],
  ...[
    `GET ${CHANNEL}/view`,
    `GET ${CHANNEL}/waiting`,
    `GET ${CHANNEL}/looks`,
    `GET ${CHANNEL}/first-cards`,
    `GET ${CHANNEL}/document`,
    `GET ${CHANNEL}/pages/:page`,
    'GET /workspaces/by-slug/:slug',
  ].map((route): [string, Row] => [route, { right: sees }]),
  [`POST ${CHANNEL}/interactions`, { right: acts }],
  [`GET ${CHANNEL}/interactions/:interactionId/delivery`, { right: acts }],
]

export const KEY_ROWS: [string, Row][] = [
  ...shared(),
  [`POST ${CHANNEL}/decisions/:decisionId`, { right: editor }],
  [`GET ${CHANNEL}/events`, { right: editor }],
]

export const ANY_SESSION = [
  'POST /auth/sign-out',
  'GET /auth/get-session',
  'PATCH /auth/account',
  'GET /auth/sessions',
  'DELETE /auth/sessions/:id',
  'POST /auth/sessions/end-others',
  'POST /api-keys',
  'GET /api-keys',
  'DELETE /api-keys/:id',
  'GET /usage',
  'GET /usage/history',
  'GET /workspaces',
  'POST /workspaces',
  'POST /invites/accept',
  'POST /auth/oidc/link',
]
export const ANY_KEY = ['GET /workspaces']
/** No role counts. */
export const OPEN = [
  '/api/auth/sign-up/email',
  '/api/auth/sign-in/email',
  '/api/auth/methods',
  '/api/auth/reset-password',
  '/api/auth/oidc/start',
  '/api/auth/oidc/callback',
  '/api/invites/preview',
  '/api/channel-unlock',
  '/api/v1/openapi.json',
  '/api/v1/docs',
]
