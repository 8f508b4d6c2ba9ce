// Preloaded into an instance (NODE_OPTIONS=--import): at SIGUSR2, collects garbage and appends a line to PROBE_FILE.
// JavaScript, because the built service runs without tsx.
import { appendFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const file = process.env.PROBE_FILE

// Worker threads inherit the preload.
if (isMainThread && file) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', async () => {
    collect()
    // The second collection frees what the first one finalizes.
    await nextTurn()
    collect()
    const { heapUsed: heap, rss, external } = process.memoryUsage()
    // Pending requests come and go; sockets, servers and timers are what may pile up.
    const handles = process
      .getActiveResourcesInfo()
      .filter(name => !/Req|Immediate|TickObject/.test(name)).length
    appendFileSync(file, `${JSON.stringify({ heap, rss, external, handles })}\n`)
  })
}
