import i18next, { type TFunction } from 'i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { send } from '../../../renderer/api/client.ts'
import { status } from '../../../shared/api/status.ts'
import { failure } from '../../../shared/messages/en/failure.ts'

/** Puts values into the English texts, as i18next does. */
const t = ((key: keyof typeof failure, values: Record<string, string> = {}) =>
  failure[key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')) as unknown as TFunction

beforeEach(() => {
  vi.spyOn(i18next, 't').mockImplementation(t)
  vi.stubGlobal('localStorage', { getItem: () => null })
})
afterEach(async () => {
  // What follows a refusal looks into the storage as well.
  await vi.dynamicImportSettled()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it.each([
  ['a no with words', '{"success":false,"message":"Not today"}', 'refused', 'Not today'],
  ['a no without a word', '{"success":false}', 'refused', 'Request failed'],
  ['a 200 that is no JSON, such as a page of a proxy', '<p>Welcome</p>', 'http', 'Error: Request failed'],
  ['a 200 of another shape', '{"ok":true}', 'http', 'Error: Request failed'],
])('a call fails in words: %s (docs/reference/screens.md#calls-and-failures)', async (_, body, kind, message) => {
  vi.stubGlobal('fetch', async () => new Response(body))
  await expect(send(status.read, {}, { quiet: true })).rejects.toMatchObject({ kind, message })
})
