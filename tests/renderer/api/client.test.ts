import i18next, { type TFunction } from 'i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { send } from '../../../renderer/api/client.ts'
import { status } from '../../../shared/api/status.ts'
import { failure } from '../../../shared/messages/en/failure.ts'

/** Fills values into the English texts, as i18next does. */
const t = ((key: keyof typeof failure, values: Record<string, string> = {}) =>
  failure[key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')) as unknown as TFunction

beforeEach(() => {
  vi.spyOn(i18next, 't').mockImplementation(t)
  vi.stubGlobal('localStorage', { getItem: () => null })
})
afterEach(async () => {
  // The code after a refusal reads the storage too.
  await vi.dynamicImportSettled()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it.each([
  ['a no with words', '{"success":false,"message":"Not today"}', 'refused', 'Not today'],
  ['a no without a word', '{"success":false}', 'refused', 'Request failed'],
  ['a 200 that is no JSON, such as a page of a proxy', '<p>Welcome</p>', 'http', 'Error: Request failed'],
  ['a 200 of another shape', '{"ok":true}', 'http', 'Error: Request failed'],
])('a call fails with a message: %s (docs/reference/screens.md#calls-and-failures)', async (_, body, kind, message) => {
  vi.stubGlobal('fetch', async () => new Response(body))
  await expect(send(status.read, {}, { quiet: true })).rejects.toMatchObject({ kind, message })
})

it.each([
  ['nobody', null, '-1'],
  ['somebody', '{"id":7,"username":"ann","display_name":"","role":1,"status":1,"group":"default"}', '7'],
])(
  'a call declares that %s is signed in, and is not cached (docs/reference/screens.md#calls-and-failures)',
  async (_, user, id) => {
    vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'user' ? user : null) })
    const sent: RequestInit[] = []
    vi.stubGlobal('fetch', async (_address: string, given: RequestInit) => {
      sent.push(given)
      return new Response('{"success":false,"message":"No"}')
    })
    await expect(send(status.read, {}, { quiet: true })).rejects.toMatchObject({ message: 'No' })
    expect(sent).toMatchObject([{ cache: 'no-store', headers: { 'New-Api-User': id, 'Cache-Control': 'no-store' } }])
  },
)
