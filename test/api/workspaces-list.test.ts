// The list of workspaces, by key and by session.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, createAccount, createTestKey, withKey } from '../support/account.ts'
import { notFound, unauthorized } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { caller } from '../support/service.ts'

let ann: Account
let path: string

const service = await runService({ WORKSPACE_LIMIT: '0' })
beforeEach(async () => {
  ann = await createAccount(service)
  path = `/workspaces/${ann.workspace_id}`
})

describe('GET /api/v1/workspaces', () => {
  test("lists the owner's workspaces like the dashboard; a confined key lists only its own", async () => {
    const { body } = await ann.session<{ id: string }>('POST', '/workspaces', { name: 'Second' })
    const listed = await ann.key<{ id: string; name: string }[]>('GET', '/workspaces')
    expect(listed.status).toBe(200)
    expect(listed.body.map(({ name }) => name)).toEqual(['Team', 'Second'])
    expect(listed.body).toStrictEqual((await ann.session('GET', '/workspaces')).body)
    const confined = withKey(service.url, (await createTestKey(ann.session, { workspace_id: body.id })).key)
    expect((await confined<{ id: string }[]>('GET', '/workspaces')).body.map(({ id }) => id)).toEqual([
      body.id,
    ])
    const reader = withKey(service.url, (await createTestKey(ann.session, { scope: 'read' })).key)
    expect((await reader('GET', '/workspaces')).status).toBe(200)
    expect(await caller(`${service.url}/api/v1`)('GET', '/workspaces')).toMatchObject(unauthorized)
  })

  test('is the only workspace route for keys', async () => {
    for (const [method, route] of [
      ['POST', '/workspaces'],
      ['GET', path],
      ['DELETE', path],
      ['GET', `${path}/attribute-settings`],
    ] as const)
      expect(await ann.key(method, route, method === 'POST' ? {} : undefined)).toMatchObject(notFound())
  })
})
