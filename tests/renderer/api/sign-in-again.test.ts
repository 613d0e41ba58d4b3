import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import type { SignedIn } from '../../../shared/api/user.ts'

const ann: SignedIn = { id: 2, username: 'ann', display_name: '', role: 1, status: 1, group: 'default' }

const unsaved = '../../../renderer/api/unsaved.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.doMock(unsaved, () => ({ hasUnsaved: () => true }))
  vi.resetModules()
})

// Other test files of this worker get the real module.
afterAll(() => {
  vi.doUnmock(unsaved)
  vi.resetModules()
})

const opened = async () => {
  const session = await import('../../../renderer/api/session.ts')
  session.rememberUser(ann)
  return { ...session, ...(await import('../../../renderer/api/sign-in-again.ts')) }
}

it('a proof that is put off silences nothing when the session ends (docs/reference/screens.md#calls-and-failures)', async () => {
  const { isProvenAgain, isSignedInAgain, putOffSignIn, signInAgain, signIns } = await opened()
  const proof = isProvenAgain(signIns())
  putOffSignIn()
  expect(await proof).toBe(false)
  const ended = isSignedInAgain(signIns(), false)
  signInAgain(ann)
  expect(await ended).toBe(true)
})

it('after a postponed login only an action of the user opens it again, even if a proof was postponed meanwhile', async () => {
  const { isProvenAgain, isSignedInAgain, putOffSignIn, rememberUser, signInAgain, signIns } = await opened()
  const ended = isSignedInAgain(signIns(), true)
  putOffSignIn()
  expect(await ended).toBe(false)
  const proof = isProvenAgain(signIns())
  putOffSignIn()
  await proof
  expect(await isSignedInAgain(signIns(), false)).toBe(false)
  rememberUser(ann)
  const next = isSignedInAgain(signIns(), false)
  signInAgain(ann)
  expect(await next, 'another session').toBe(true)
})
