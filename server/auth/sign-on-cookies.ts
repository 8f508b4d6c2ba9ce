// Signed cookies that carry a single sign-on from request to request, so that any instance can take the next one.
import { z } from 'zod'
import { cookiesIn, sign, unsign } from './tokens.ts'

const LIFETIME_S = 600

/** A sign-on that began. `nonce` and `verifier` prove that the provider's answer belongs to it. */
const begun = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  invite: z.string().optional(),
})
/** A person of the provider who waits to be linked to the account with this e-mail address. */
const unlinked = z.object({ issuer: z.string(), subject: z.string(), email: z.string() })
export type Unlinked = z.output<typeof unlinked>

const envelope = z.object({ value: z.unknown(), until: z.number() })

type Options = { secret: string; secure: boolean; now: () => number }
export type SignOnCookies = ReturnType<typeof createSignOnCookies>

export const createSignOnCookies = (options: Options) => ({
  begun: createCookie('oidc', begun, options),
  unlinked: createCookie('oidc_link', unlinked, options),
})

function createCookie<T extends z.ZodType<object>>(
  purpose: string,
  schema: T,
  { secret, secure, now }: Options,
) {
  const name = secure ? `__Host-${purpose}` : purpose
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

  return {
    /** The Set-Cookie headers that store and remove the value. */
    set(value: z.output<T>): string {
      const text = JSON.stringify({ value, until: now() + LIFETIME_S * 1000 })
      const signed = sign(secret, purpose, Buffer.from(text).toString('base64url'))
      return `${name}=${signed}; Max-Age=${LIFETIME_S}; ${attributes}`
    },
    clear: `${name}=; Max-Age=0; ${attributes}`,

    /** The value in a `Cookie` header, or null without one that we signed in the last ten minutes. */
    read(cookies: string | undefined): z.output<T> | null {
      for (const cookie of cookiesIn(cookies)) {
        const text = cookie.name === name ? unsign(secret, purpose, cookie.value) : null
        if (text === null) continue
        const { value, until } = envelope.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
        if (until > now()) return schema.parse(value)
      }
      return null
    },
  }
}
