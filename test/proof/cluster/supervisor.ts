// Starts the processes of a run, each in its own process group under a watchdog, and signals only those: nothing
// outlives the run, even if it is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The folder of Node's reports in a run's folder. */
export const REPORTS = 'reports'
const START_MS = 60_000
const STOP_MS = 15_000

// Descriptor 0 is the pipe that we hold, 4 takes the process id. When the pipe ends, the process is continued (it may be
// stopped) and ended with $STOP.
const watchdog = `
exec 5<&0
"$0" "$@" </dev/null 4>&- 5<&- & p=$!
echo $p >&4; exec 4>&-
(read x <&5; kill -CONT $p; kill -$STOP $p) 2>/dev/null & w=$!
wait $p; r=$?
kill -KILL $w 2>/dev/null
exit $r`

export type Start = {
  /** Unique in the run; names the log file. */
  name: string
  command: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  ids?: { uid?: number; gid?: number }
  /** The signal that ends it at once. PostgreSQL needs QUIT, because its processes have groups of their own. */
  stop?: 'KILL' | 'QUIT' | 'TERM'
  /** Whether it exchanges messages with us, as after `fork`. */
  messages?: boolean
}

export type Child = {
  name: string
  pid: number
  /** Whether it is a Node process. */
  node: boolean
  alive(): boolean
  /** Everything it printed so far. */
  output(): string
  /** Resolves with the first line that matches; rejects if the process ends before, or after 15 s. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  /** Returns false if the process has ended. */
  signal(signal: NodeJS.Signals): boolean
  exited: Promise<void>
  /** Ends it at once and waits. */
  kill(): Promise<void>
  send(message: object): void
  onMessage(listen: (message: unknown) => void): void
}

export type Supervisor = Awaited<ReturnType<typeof startSupervisor>>

/** `folder` gets run.json and a log per process. */
export async function startSupervisor(folder: string) {
  await mkdir(join(folder, REPORTS), { recursive: true })
  const running = new Map<Child, { started: string }>()
  let writing = Promise.resolve()

  function writeRun(): void {
    const children = [...running].map(([{ name, pid }, { started }]) => ({ name, pid, started }))
    const text = JSON.stringify({ pid: process.pid, children }, null, 1)
    // Renamed, so that nobody reads half of it.
    writing = writing
      .then(() => writeFile(join(folder, 'run.json.next'), text))
      .then(() => rename(join(folder, 'run.json.next'), join(folder, 'run.json')))
      .catch(() => {})
  }

  async function start(given: Start): Promise<Child> {
    const child = await launch(given, folder, child => running.get(child)?.started)
    running.set(child, { started: startTimeOf(child.pid) ?? '' })
    child.exited.then(() => {
      running.delete(child)
      writeRun()
    })
    writeRun()
    return child
  }

  return {
    folder,
    start,
    children: () => [...running.keys()],
    /** Ends all processes at once. */
    async end(): Promise<void> {
      await Promise.all([...running.keys()].map(child => child.kill()))
      await writing
    },
  }
}

/** At SIGUSR2, a Node process whose event loop turns writes its sockets, timers and memory to the folder. */
const reportTo = (folder: string) => ({
  NODE_OPTIONS: `--report-on-signal --report-exclude-network --report-directory="${join(folder, REPORTS)}"`,
})

async function launch(
  { name, command, env, cwd, ids, stop = 'KILL', messages = false }: Start,
  folder: string,
  startedAs: (child: Child) => string | undefined,
): Promise<Child> {
  const shell = spawn('sh', ['-c', watchdog, ...command], {
    ...ids,
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env.PATH, ...reportTo(folder), ...env, STOP: stop },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', messages ? 'ipc' : 'ignore', 'pipe'],
  })
  const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
  const lines: string[] = []
  const waiting = new Set<(line: string) => void>()
  for (const output of [shell.stdout, shell.stderr]) {
    if (!output) throw new TypeError('the watchdog has pipes')
    createInterface({ input: output }).on('line', line => {
      lines.push(line)
      log.write(`${line}\n`)
      for (const look of waiting) look(line)
    })
  }
  // The pipe breaks when the watchdog ends first.
  shell.stdin?.on('error', () => {})
  const exited = once(shell, 'exit').then(() => {})
  // Its last lines may come after its exit.
  once(shell, 'close').then(() => log.end())
  const alive = () => shell.exitCode === null && shell.signalCode === null

  const child: Child = {
    name,
    pid: await readPid(shell, name),
    node: command[0] === process.execPath,
    alive,
    output: () => lines.join('\n'),
    exited,
    line: pattern =>
      new Promise((resolve, reject) => {
        const found = lines.map(line => pattern.exec(line)).find(match => match !== null)
        if (found) return resolve(found)
        const fail = (why: string) => {
          done()
          reject(new Error(`${name} ${why} without a line like ${pattern}:\n${lines.slice(-20).join('\n')}`))
        }
        const timer = setTimeout(() => fail(`ran ${START_MS} ms`), START_MS)
        const look = (line: string) => {
          const match = pattern.exec(line)
          if (!match) return
          done()
          resolve(match)
        }
        const done = () => {
          clearTimeout(timer)
          waiting.delete(look)
        }
        waiting.add(look)
        exited.then(() => fail('ended'))
      }),
    signal(signal) {
      // The kernel may have given the process id to another program.
      if (!alive() || startTimeOf(child.pid) !== startedAs(child)) return false
      process.kill(child.pid, signal)
      return true
    },
    async kill() {
      if (!alive()) return
      shell.stdin?.destroy()
      const timer = setTimeout(() => child.signal('SIGKILL'), STOP_MS)
      await exited
      clearTimeout(timer)
    },
    send(message) {
      if (shell.connected) shell.send(message)
    },
    onMessage: listen => void shell.on('message', listen),
  }
  return child
}

async function readPid(shell: ChildProcess, name: string): Promise<number> {
  const pipe = shell.stdio[4]
  if (!pipe) throw new TypeError('the watchdog has a pipe for the process id')
  const [text] = await Promise.race([
    once(pipe, 'data'),
    once(shell, 'exit').then(() => {
      throw new Error(`${name} did not start`)
    }),
  ])
  return Number(String(text))
}

/** In clock ticks since the machine started; undefined if there is no such process. */
function startTimeOf(pid: number): string | undefined {
  try {
    // The name, in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  } catch {
    return undefined
  }
}
