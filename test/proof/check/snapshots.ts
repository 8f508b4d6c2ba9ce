// P1: a stored snapshot is the channel as it was after its turn of the log. The log before it is deleted some time later.
import { byChannel, type Files, type Finding } from './files.ts'
import { where } from './locate.ts'
import { keyOfClocks } from './lost.ts'
import { foldLog } from './viewers.ts'

export function checkSnapshots({ turns, ending }: Pick<Files, 'turns' | 'ending'>): Finding[] {
  const logs = byChannel(turns)
  return ending.flatMap(record => {
    if (record.kind !== 'stored snapshot') return []
    const { channel_id, epoch, seq, clocks, digest } = record
    const log = logs.get(channel_id) ?? []
    const turn = log.findIndex(turn => turn.epoch === epoch && turn.seq === seq)
    const key = keyOfClocks(clocks)
    const end = foldLog(log.slice(0, turn + 1), new Set([key])).get(key)
    if (end?.turn === turn && end.digest === digest) return []
    const name = log[turn] ? where(log[turn]) : `channel ${channel_id}, ${epoch}.${seq}`
    return [{ promise: 'P1', message: `the snapshot at ${name} is not what the log implies (${key})` }]
  })
}
