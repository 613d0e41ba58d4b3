import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'
import { type ConsoleName, consoles } from './furnished.ts'
import { open, type Screen, screens } from './screens.ts'

/**
 * Takes a picture of every screen on a desk and on a phone, light and dark, in both languages, into out/screenshots. Words
 * as arguments choose the pages they name. Ends with code 1 when a page logged an error.
 */
const folder = join(import.meta.dirname, '../../out/screenshots')
const wanted = process.argv.slice(2)
const chosen = screens.filter(({ page }) => wanted.length === 0 || wanted.includes(page))

await mkdir(folder, { recursive: true })
const served = await consoles()
const browser = await chromium.launch(chromiumLaunch())
try {
  for (const [size, viewport] of [
    ['1280x800', { width: 1280, height: 800 }],
    ['390x844', { width: 390, height: 844 }],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const locale of ['en', 'zh-CN'])
        await takeAll({ viewport, colorScheme, locale }, `${size}-${colorScheme}-${locale.slice(0, 2)}`)
    }
  }
} finally {
  await browser.close()
  await served.stop()
}

/** One visitor a console: cookies do not tell ports apart, so two consoles in one context would share a session. */
async function takeAll(options: BrowserContextOptions, name: string): Promise<void> {
  const contexts = await visitors(browser, options)
  for (const screen of chosen) {
    const page = await contexts[visitorOf(screen)].newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !screen.isNoisy) complain(screen, name, message.text())
    })
    try {
      await open(page, screen, served)
      await page.screenshot({ path: join(folder, `${screen.page}-${screen.state}-${name}.png`) })
    } catch (error) {
      complain(screen, name, String(error).slice(0, 500))
    }
    await page.close()
  }
  await Promise.all(Object.values(contexts).map((context) => context.close()))
}

async function visitors(from: Browser, options: BrowserContextOptions) {
  const names = ['nobody', 'fresh', 'empty', 'busy', 'calling'] as const
  const made = await Promise.all(names.map(async (name) => [name, await from.newContext(options)] as const))
  // Object.fromEntries forgets the names that the list above gives it.
  return Object.fromEntries(made) as Record<(typeof names)[number], (typeof made)[number][1]>
}

function visitorOf({ isSignedIn, at }: Screen): 'nobody' | ConsoleName {
  return isSignedIn ? at : 'nobody'
}

function complain({ page, state }: Screen, name: string, what: string): void {
  console.error(`${page}-${state}-${name}: ${what}`)
  process.exitCode = 1
}
