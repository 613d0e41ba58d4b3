import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import type { Consoles } from './furnished.ts'
import { open } from './screens/screen.ts'
import { screens } from './screens.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')

/** The README's pictures, in English at 1280 by 800: the file's name, the screen and the theme. */
const pictures = [
  { name: 'receipt-light', page: 'log', state: 'open', theme: 'light' },
  { name: 'connect-client-dark', page: 'connect-client', state: 'filled', theme: 'dark' },
] as const

/** The file with the texts that the pages had when the pictures were taken. */
export const textsFile = join(folder, 'texts.json')

/** Opens the pages of the README's pictures and returns their texts; `take` also takes the pictures. */
export async function readReadmePages(
  browser: Browser,
  served: Consoles,
  take = false,
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const { name, page: of, state, theme } of pictures) {
    const screen = screens.find((one) => one.page === of && one.state === state)
    if (!screen) throw new Error(`there is no screen ${of}-${state}`)
    const viewport = { width: 1280, height: 800 }
    const options = { viewport, colorScheme: theme, locale: 'en', reducedMotion: 'reduce' } as const
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await open(page, screen, served)
    if (take) await page.screenshot({ path: join(folder, `${name}.png`) })
    texts[name] = await lastingText(page)
    await context.close()
  }
  return texts
}

/** A page's words, without those with digits and units of time, which differ each time. */
const lastingText = async (page: Page): Promise<string> =>
  (await page.evaluate(() => document.body.innerText))
    .split(/\s+/)
    .filter((word) => /^\p{L}+$/u.test(word) && word !== 'ms' && word !== 's')
    .join(' ')
