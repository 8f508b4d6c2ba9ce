// Whose a channel is, remembered: never longer than there is a channel.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { ChannelRegister } from '../../server/model/channels.ts'
import { type Account, createAccount } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let ann: Account

beforeAll(async () => {
  service = await startTestService()
  ann = await createAccount(service)
})
afterAll(() => service.stop())

test('what is read while a channel is deleted is not remembered', async () => {
  const other = connect(service.database.target)
  for (let i = 0; i < 100; i++) {
    const register = new ChannelRegister(service.sql)
    const id = await createChannel(ann)
    const deletion = other`delete from channels where id = ${id}`.then(() => register.forget(id))
    // Reads all along: some are answered after the deletion is heard of, with what was there before.
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
