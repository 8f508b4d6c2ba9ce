// The process: configuration, database, service, signals. Only this file has side effects at import.
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type Config, ConfigError, exposureWarning, loadConfig } from './config.ts'
import { DatabaseError } from './database/database-error.ts'
import { startEmbedded } from './database/embedded.ts'
import { startError } from './database/first-contact.ts'
import { isDatabaseFailure } from './database/unavailable.ts'
import { createDemo, welcome } from './demo.ts'
import { type KeyPair, keyPairOf, newPrivateJwk, parseKeyPair } from './key-pair.ts'
import { loadAuthSecret, loadSigningKey } from './secrets.ts'
import { startService } from './service.ts'
import { warmUp } from './warm-up.ts'

const STOP_MAX_MS = 9_500

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const log = pino({ level: config.log_level })
  const given_key = await givenSigningKey(config)
  // An external database with a given secret needs no folder.
  if (!config.database_url || !config.auth_secret)
    await inDataDir(config, () => mkdir(config.data_dir, { recursive: true }))

  let signalled = false
  /** A second signal ends the drain. */
  const early = new AbortController()
  /** Nobody uses the service until it is ready. */
  let drain = async () => {}
  let stop = async () => {}
  const onSignal = async (signal: NodeJS.Signals) => {
    if (signalled) return early.abort()
    signalled = true
    log.info({ signal }, 'stopping')
    if (signal === 'SIGTERM') await drain()
    setTimeout(() => {
      log.warn('stopped before all work was finished')
      process.exit(0)
    }, STOP_MAX_MS).unref()
    started.then(stop).finally(() => process.exit(0))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)

  // Runs while the database starts.
  const warm = warmUp().catch(error => log.warn({ err: error }, 'could not warm up'))
  const started = (async () => {
    const { data_dir, database_url } = config
    // Takes the lock on DATA_DIR, so nothing is written there before.
    const embedded = database_url
      ? null
      : await startEmbedded({ data_dir, log, package: config.postgres_package ?? undefined })
    stop = embedded?.stop ?? stop
    try {
      const marker = join(data_dir, 'postgres', 'restored') // created by `npm run restore`
      const restored = embedded !== null && existsSync(marker)
      const service = await startService({
        config,
        auth_secret: config.auth_secret ?? (await inDataDir(config, () => loadAuthSecret(data_dir))),
        signing_key: given_key ?? (await ownSigningKey(config, log)),
        target: embedded ? { socket_dir: embedded.socket_dir } : { url: database_url ?? '' },
        restored,
        alone: embedded !== null,
        log,
      })
      stop = () => service.stop().then(embedded?.stop)
      if (restored) await rm(marker, { force: true })
      return service
    } catch (error) {
      await embedded?.stop()
      throw database_url && isDatabaseFailure(error) ? startError(error) : error
    }
  })()

  const service = await started
  const { drain_seconds } = config
  if (drain_seconds > 0) drain = () => service.drain(drain_seconds * 1000, early.signal)
  const demo = config.demo && !config.database_url ? await createDemo(service) : null
  await warm
  const warning = exposureWarning(config, process.env)
  if (warning) log.warn(warning)
  log.info({ url: service.url }, `Channel Feed is ready at ${service.url}`)
  if (demo) process.stdout.write(welcome(service.url, demo))
}

async function givenSigningKey({ signing_key }: Config): Promise<KeyPair | null> {
  if (signing_key === null) return null
  const key = await parseKeyPair(signing_key)
  if (!key) throw new ConfigError('SIGNING_KEY must be a private Ed25519 JWK')
  return key
}

/**
 * The key in DATA_DIR. With an external database the service needs no folder, so it starts without one too: its signatures
 * stay valid, because their public keys are in the database.
 */
async function ownSigningKey(config: Config, log: Logger): Promise<KeyPair> {
  const { data_dir, database_url } = config
  try {
    await mkdir(data_dir, { recursive: true })
    return await loadSigningKey(data_dir)
  } catch (error) {
    if (!isFileError(error)) throw error
    if (!database_url) throw unusable(config, error)
    log.warn(
      { err: error },
      'DATA_DIR cannot be used, so the next start signs with another key: set SIGNING_KEY',
    )
    return keyPairOf(newPrivateJwk())
  }
}

/** Turns errors of the file system into one line for the operator. */
async function inDataDir<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isFileError(error) ? unusable(config, error) : error
  }
}

const isFileError = (error: unknown): error is Error & { syscall: unknown } =>
  error instanceof Error && 'syscall' in error

const unusable = ({ data_dir }: Config, { message }: Error) =>
  new ConfigError(`DATA_DIR ${data_dir} cannot be used (${message})`)

main().catch(error => {
  process.stderr.write(`${lineOf(error)}\n`)
  process.exit(1)
})

/** One line for what an operator can mend. Anything else is a fault of ours, and its stack helps to report it. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError || error instanceof DatabaseError) return error.message
  if (isFileError(error)) return `Channel Feed can't start: ${error.message}`
  return error.stack ?? error.message
}
