// The process: configuration, database, service, signals. Only this file has side effects at import.
import { access, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Config, ConfigError, exposureWarning, loadConfig } from './config.ts'
import { DatabaseError } from './database/database-error.ts'
import { startEmbedded } from './database/embedded.ts'
import { createDemo, welcome } from './demo.ts'
import { loadAuthSecret } from './secrets.ts'
import { startService } from './service.ts'

const STOP_MAX_MS = 9_500

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const log = pino({ level: config.log_level })
  await inDataDir(config, () => mkdir(config.data_dir, { recursive: true }))

  let signalled = false
  let stop = async () => {}
  const onSignal = (signal: NodeJS.Signals) => {
    if (signalled) return
    signalled = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.warn('stopped before all work was finished')
      process.exit(0)
    }, STOP_MAX_MS).unref()
    started.then(stop).finally(() => process.exit(0))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)

  const started = (async () => {
    if (config.database_url) {
      const service = await startService({
        config,
        auth_secret: await readAuthSecret(config),
        target: { url: config.database_url },
        restored: false,
        log,
      })
      stop = service.stop
      return service
    }
    // Takes the lock on DATA_DIR, so nothing is written there before.
    const embedded = await startEmbedded({
      data_dir: config.data_dir,
      log,
      ...(config.postgres_package && { package: config.postgres_package }),
    })
    stop = embedded.stop
    try {
      const restored = await isRestored(config)
      const service = await startService({
        config,
        auth_secret: await readAuthSecret(config),
        target: { socket_dir: embedded.socket_dir },
        restored,
        alone: true,
        log,
      })
      stop = () => service.stop().then(embedded.stop)
      if (restored) await rm(restoredMarker(config), { force: true })
      return service
    } catch (error) {
      await embedded.stop()
      throw error
    }
  })()

  const { url, sql, feeds, quota } = await started
  const demo = config.demo && !config.database_url ? await createDemo(sql, feeds, quota, url) : null
  const warning = exposureWarning(config, process.env)
  if (warning) log.warn(warning)
  log.info({ url }, `Channel Feed is ready at ${url}`)
  if (demo) process.stdout.write(welcome(url, demo))
}

async function readAuthSecret(config: Config): Promise<string> {
  return config.auth_secret ?? (await inDataDir(config, () => loadAuthSecret(config.data_dir)))
}

/** Turns errors of the file system into one line for the operator. */
async function inDataDir<T>({ data_dir }: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new ConfigError(`DATA_DIR ${data_dir} cannot be used (${error.message})`)
  }
}

/** Created by `npm run restore`. */
function restoredMarker(config: Config): string {
  return join(config.data_dir, 'postgres', 'restored')
}

function isRestored(config: Config): Promise<boolean> {
  return access(restoredMarker(config)).then(
    () => true,
    () => false,
  )
}

main().catch(error => {
  if (error instanceof ConfigError || error instanceof DatabaseError)
    process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
