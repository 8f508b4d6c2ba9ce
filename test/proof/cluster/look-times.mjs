// Preloaded into an instance: its LOOK_TIMES are those of the variable of that name. An older release has none.
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const path = join(dirname(process.argv[1] ?? ''), 'decisions/look-times.js')
const times = await import(pathToFileURL(path).href).catch(error => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
})
Object.assign(times?.LOOK_TIMES ?? {}, JSON.parse(process.env.LOOK_TIMES ?? '{}'))
