// WebKit, driven by plain WebDriver requests (https://www.w3.org/TR/webdriver2). No npm package is needed for that.
import { z } from 'zod'
import { type Driver, SIZE } from './driver.ts'

const Response = z.object({ value: z.unknown() })
const Failure = z.object({ error: z.string(), message: z.string() })
const Session = z.object({ sessionId: z.string() })
const Outcome = z.union([z.object({ value: z.unknown() }), z.object({ thrown: z.string() })])

/** No command takes longer, unless the browser hangs. */
const LIMIT_MS = 40_000

/** A window has its size at once, or, on a busy machine, sometimes never. */
const FIT_MS = 5_000

/** WebDriver's codes of keys that type no character. */
const KEYS: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
}

/** `url`: the driver's. Its window is private. */
export async function openWithWebDriver(url: string): Promise<Omit<Driver, 'close'>> {
  const { sessionId } = Session.parse(await send(url, 'POST', '/session', { capabilities: {} }))
  const session = `${url}/session/${sessionId}`
  const post = (path: string, body: object = {}) => send(session, 'POST', path, body)
  await post('/timeouts', { script: 30_000, pageLoad: 30_000 })

  async function evaluate(expression: string): Promise<unknown> {
    const script = `const done = arguments[0]
      Promise.resolve().then(() => (${expression})).then(value => done({ value: value ?? null }), error => done({ thrown: String(error) }))`
    const outcome = Outcome.parse(await post('/execute/async', { script, args: [] }))
    if ('thrown' in outcome) throw new Error(outcome.thrown)
    return outcome.value
  }
  const keys = (actions: object[]) =>
    post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  const down = (value: string) => ({ type: 'keyDown', value })
  const up = (value: string) => ({ type: 'keyUp', value })

  await fitWindow(post, evaluate)
  return {
    goto: async url => void (await post('/url', { url })),
    reload: async () => void (await post('/refresh')),
    // WebDriver's own command waits for a load event, which a page from the back/forward cache doesn't have.
    back: async () => void (await evaluate('void setTimeout(() => history.back())')),
    evaluate,
    async press(key) {
      const names = key === '+' ? ['+'] : key.split('+')
      const values = names.map(name => KEYS[name] ?? name)
      await keys([...values.map(down), ...values.toReversed().map(up)])
    },
    type: async text => void (await keys([...text].flatMap(character => [down(character), up(character)]))),
    async clickAt(x, y) {
      const move = {
        type: 'pointerMove',
        x: Math.round(x),
        y: Math.round(y),
        origin: 'viewport',
        duration: 0,
      }
      const button = { button: 0 }
      const actions = [move, { type: 'pointerDown', ...button }, { type: 'pointerUp', ...button }]
      await post('/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    async shot() {
      await evaluate(`void (${drawForAWhile})()`)
      return Buffer.from(z.string().parse(await send(session, 'GET', '/screenshot')), 'base64')
    },
  }
}

/** Runs in the page. WebKitGTK takes its picture with the next frame, and a page at rest draws none. */
function drawForAWhile(): void {
  let frames = 0
  const timer = setInterval(() => {
    document.documentElement.style.outline = frames % 2 ? '' : '1px solid transparent'
    if (++frames === 40) clearInterval(timer)
  }, 50)
}

type Post = (path: string, body?: object) => Promise<unknown>

/** Gives the page `SIZE`: the window also has a bar. */
async function fitWindow(post: Post, evaluate: Driver['evaluate']): Promise<void> {
  const Size = z.tuple([z.number(), z.number()])
  const bar = { width: 0, height: 0 }
  const deadline = Date.now() + FIT_MS
  while (true) {
    await post('/window/rect', { width: SIZE.width + bar.width, height: SIZE.height + bar.height })
    const [width, height] = Size.parse(await evaluate('[innerWidth, innerHeight]'))
    if (width === SIZE.width && height === SIZE.height) return
    if (Date.now() > deadline) throw new Error(`the window stays at ${width} × ${height}`)
    // A page that isn't laid out is one pixel high.
    if (height > 1) {
      bar.width += SIZE.width - width
      bar.height += SIZE.height - height
    }
  }
}

async function send(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  const response = await fetch(url + path, { method, signal, ...(body && { body: JSON.stringify(body) }) })
  const { value } = Response.parse(await response.json())
  if (response.ok) return value
  const { error, message } = Failure.parse(value)
  throw new Error(`${method} ${path}: ${error}: ${message}`)
}
