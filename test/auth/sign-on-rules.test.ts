// The pure rules of single sign-on: what a provider's claims mean, and how a sign-on ends.
import { describe, expect, test } from 'vitest'
import { mergeClaims, readSignOnProfile } from '../../server/auth/sign-on-profile.ts'
import { judgeSignOn, type SignOnFacts, type SignOnVerdict } from '../../server/auth/sign-on-rules.ts'

const stranger: SignOnFacts = { known_user_id: null, account: null, may_create: true }
const known = { ...stranger, known_user_id: 'u' }
const withPassword = { ...stranger, account: { has_password: true } }
const withoutPassword = { ...stranger, account: { has_password: false } }
const email = 'ann@example.com'

type Ending = 'create' | 'link' | 'sign_in' | 'oidc_email' | 'oidc_failed' | 'oidc_sign_up'
const endingOf = (verdict: SignOnVerdict): string =>
  verdict.kind === 'refuse' ? verdict.error : verdict.kind

describe('the verdict', () => {
  // Whether the address is verified: yes, no, unknown, unknown and trusted.
  test.each<[string, SignOnFacts, Ending[]]>([
    ['a stranger', stranger, ['create', 'oidc_email', 'oidc_email', 'create']],
    [
      'a stranger while new accounts are not allowed',
      { ...stranger, may_create: false },
      ['oidc_sign_up', 'oidc_email', 'oidc_email', 'oidc_sign_up'],
    ],
    ['an address with a password', withPassword, ['link', 'oidc_email', 'oidc_email', 'link']],
    [
      'an address of another person of the provider',
      withoutPassword,
      ['oidc_failed', 'oidc_email', 'oidc_email', 'oidc_failed'],
    ],
    ['a known person', known, ['sign_in', 'sign_in', 'sign_in', 'sign_in']],
  ])('the verdict for %s depends on whether the address is verified', (_, facts, endings) => {
    const judge = (verified: boolean | null, trust: boolean) =>
      endingOf(judgeSignOn({ email, verified }, facts, trust))
    expect([judge(true, false), judge(false, false), judge(null, false), judge(null, true)]).toEqual(endings)
    // `false` is never trusted.
    expect(judge(false, true)).toBe(endings[1])
  })

  test('the verdict without an e-mail address is oidc_email, except for a known person', () => {
    const none = { email: null, verified: true }
    expect(endingOf(judgeSignOn(none, stranger, true))).toBe('oidc_email')
    expect(endingOf(judgeSignOn(none, known, true))).toBe('sign_in')
  })
})

describe('the claims', () => {
  const base = { iss: 'https://id.example', sub: '1' }

  test('the claims become a profile', () => {
    const claims = { ...base, email: ' Ann@Example.COM ', email_verified: true, name: ' Ann Example ' }
    expect(readSignOnProfile(claims)).toEqual({
      issuer: base.iss,
      subject: '1',
      email: 'ann@example.com',
      verified: true,
      name: 'Ann Example',
    })
  })

  test.each([
    [undefined, null],
    [true, true],
    [false, false],
    [null, false],
    ['true', false],
    [1, false],
  ])('the claim email_verified %j means %j', (email_verified, verified) => {
    expect(readSignOnProfile({ ...base, email_verified })).toMatchObject({ verified })
  })

  test.each([undefined, null, '', 7, 'ann', `${'a'.repeat(250)}@x.de`, 'a\0@x.de'])(
    'the claim email %j counts as none',
    email => {
      expect(readSignOnProfile({ ...base, email })).toMatchObject({ email: null })
    },
  )

  test.each([
    [{ name: 'Ann', preferred_username: 'ann1', email }, 'Ann'],
    [{ name: '  ', preferred_username: 'ann1', email }, 'ann1'],
    [{ name: 7, email }, 'ann'],
    [{ name: 'a\0b', email }, 'ann'],
    [{ name: '\ud800', email }, 'ann'],
    [{ name: `${'😀'.repeat(101)}`, email }, '😀'.repeat(100)],
    [{}, 'Somebody'],
  ])('the name of %j is %s', (claims, name) => {
    expect(readSignOnProfile({ ...base, ...claims })).toMatchObject({ name })
  })

  test.each([
    {},
    { iss: 'x' },
    { iss: 'x', sub: '' },
    { iss: 'x', sub: 'a\0' },
    { iss: 'x', sub: 'x'.repeat(256) },
  ])('the claims %j identify nobody', claims => {
    expect(() => readSignOnProfile(claims)).toThrow()
  })

  const verified = { email, email_verified: true }
  const other = 'other@example.com'

  test.each([
    [{}, verified, verified],
    [verified, {}, verified],
    [verified, { email }, verified],
    [{ email }, verified, verified],
    [verified, { email: other, email_verified: false }, verified],
    [{ email_verified: true }, { email }, { email, email_verified: undefined }],
    [{ email }, { email_verified: true }, { email, email_verified: undefined }],
    [{ email_verified: true }, { email, email_verified: false }, { email, email_verified: false }],
    [{ email_verified: true }, {}, { email: undefined, email_verified: undefined }],
  ])('the ID token %j and the userinfo %j give the address %j', (id_token, userinfo, expected) => {
    expect(mergeClaims({ ...base, ...id_token }, { sub: '1', name: 'Ann', ...userinfo })).toEqual({
      ...base,
      name: 'Ann',
      ...expected,
    })
  })
})
