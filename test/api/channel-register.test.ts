// The register caches a channel's owner, but never longer than the channel exists.
import { expect, test } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { ChannelRegister } from '../../server/model/channels.ts'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()

test('a row that was read while its channel was deleted is not cached', async () => {
  const other = connect(service.database.target)
  for (let i = 0; i < 100; i++) {
    const register = new ChannelRegister(service.sql)
    const id = await createChannel(ann)
    const deletion = other`delete from channels where id = ${id}`.then(() => register.forget(id))
    // Reads throughout: some finish after the notice of the deletion, with the row from before.
    let deleted = false
    const reads: unknown[] = [deletion.then(() => (deleted = true))]
    while (!deleted) {
      reads.push(register.find(id))
      await new Promise(setImmediate)
    }
    await Promise.all(reads)
    expect(await register.find(id)).toBeNull()
  }
  await other.end()
})
