import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { dataOf } from '../support/client.ts'
import { answered, answers, message, openPlayground, say } from './play-fixture.ts'
import type { ServedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { copiedBy } from './visitor.ts'

let vendor: ServedVendor
test.beforeEach(async ({ page }) => {
  vendor = await openPlayground(page)
})
test.afterEach(() => vendor.stop())

/** One pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') }
const paper = { name: 'it\'s "a" paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nothing') }
const notes = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n```\ncode\n```\n') }

const input = (page: Page) => page.locator('.play-composer input[type=file]')
const attached = (page: Page) => page.locator('.play-composer').getByRole('list', { name: 'Attached files' })
const question = (page: Page) => page.getByRole('article', { name: 'You' }).last()

/** Waits until the vendor has received this many requests. */
const asked = (times: number) => expect.poll(() => vendor.upstream.requests.length).toBe(times)

/** Pastes or drops a file onto the message input, as the browser would. */
const gives = (page: Page, type: 'paste' | 'drop', [name, content]: readonly [string, string]) =>
  message(page).evaluate(
    (box, given) => {
      const data = new DataTransfer()
      data.items.add(new File([given.content], given.name, { type: 'text/plain' }))
      const how = { bubbles: true, cancelable: true }
      const event =
        given.type === 'paste'
          ? new ClipboardEvent('paste', { ...how, clipboardData: data })
          : new DragEvent('drop', { ...how, dataTransfer: data })
      box.dispatchEvent(event)
    },
    { type, name, content },
  )

test('images, PDF and texts go with a message, in the dialect of the playground; a failed call loses no file', async ({
  page,
}) => {
  await input(page).setInputFiles([picture, paper, notes])
  await expect(attached(page).getByRole('listitem')).toHaveCount(3)
  await expect(attached(page).getByRole('img', { name: 'pixel.png' })).toBeVisible()
  await expect(page.getByText('Not every model accepts images')).toBeVisible()
  await gives(page, 'paste', ['pasted.txt', 'pasted'])
  await gives(page, 'drop', ['dropped.txt', 'dropped'])
  await expect(attached(page).getByRole('listitem')).toHaveCount(5)
  for (const name of ['pasted.txt', 'dropped.txt']) await page.getByRole('button', { name: `Remove ${name}` }).click()
  const refused = { status: 400, body: { error: { message: 'no images here', type: 'invalid_request_error' } } }
  vendor.upstream.answers(refused, {})
  await say(page, 'What is this?')
  await expect(page.getByRole('alert')).toContainText('The model may not accept these files')
  await expect(attached(page)).toHaveCount(0)
  await expect(question(page).getByRole('listitem')).toHaveCount(3)
  vendor.upstream.reset()
  await answers(page).getByRole('button', { name: 'Regenerate' }).click()
  await asked(1)
  await answered(page)
  expect(vendor.upstream.last().json.messages.at(-1).content).toEqual([
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
    {
      type: 'file',
      file: { filename: paper.name, file_data: `data:application/pdf;base64,${paper.buffer.toString('base64')}` },
    },
    { type: 'text', text: 'notes.md\n````\n# Notes\n```\ncode\n```\n\n````' },
  ])
  await question(page).getByRole('button', { name: 'Edit' }).click()
  await question(page).getByRole('button', { name: 'Remove pixel.png' }).click()
  await question(page).getByRole('button', { name: 'Send' }).click()
  await asked(2)
  await answered(page)
  expect(vendor.upstream.last().json.messages.at(-1).content).toHaveLength(3)
})

test('a file that is too large or of an unknown kind is refused by name, the others are taken', async ({ page }) => {
  const large = { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1024 * 1024 + 1, 'a') }
  const sound = { name: 'song.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('ID3') }
  const program = { name: 'program', mimeType: '', buffer: Buffer.from([0xff, 0xfe, 0, 1]) }
  await input(page).setInputFiles([large, sound, program, notes])
  await expect(attached(page).getByRole('listitem')).toHaveCount(1)
  for (const words of ['large.txt is too large', 'song.mp3 was not attached', 'program was not attached'])
    await expect(page.getByRole('alert')).toContainText(words)
  await message(page).fill('anything')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the code of a request sends the very same request', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: vendor.url })
  const { key } = dataOf(await vendor.root.post('/api/token', { name: 'laptop', unlimited_quota: true }))
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-code-'))
  for (const { name, buffer } of [picture, paper]) await writeFile(join(folder, name), buffer)
  await input(page).setInputFiles([picture, paper])
  await say(page, 'It\'s "quoted", costs $1 `here` \\ and\nthere')
  await asked(1)
  await answered(page)
  const sent = vendor.upstream.last().json
  await answers(page).getByRole('button', { name: 'View code' }).click()
  const dialog = page.getByRole('dialog', { name: 'View code' })
  const curl = await copiedBy(page, dialog.getByRole('button', { name: 'Copy curl' }))
  await promisify(execFile)('sh', ['-c', curl.replace('sk-YOUR_API_TOKEN', key)], { cwd: folder })
  expect(vendor.upstream.last().json).toEqual(sent)
  await rm(folder, { recursive: true })
  await dialog.getByRole('tab', { name: 'Python' }).click()
  await expect(dialog.locator('pre')).toContainText('data_url("pixel.png", "image/png")')
  await dialog.getByRole('tab', { name: 'JavaScript' }).click()
  await expect(dialog.locator('pre')).toContainText("import OpenAI from 'openai'")
})
