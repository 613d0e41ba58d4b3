import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test'
import { sampleMails } from '../support/sample-mails.ts'
import { standsStill } from './accessible.ts'
import { chromiumLaunch } from './chromium.ts'
import { type ConsoleName, consoles } from './furnished.ts'
import { readReadmePages, textsFile } from './readme-pictures.ts'
import { open, type Screen } from './screens/screen.ts'
import { screens } from './screens.ts'

/**
 * Takes a screenshot of every screen at five widths, light and dark, in both languages, into out/screenshots, and of
 * every mail at the two narrowest (the page `mail`). The arguments select names of pages, widths (`768`), `light` or
 * `dark`, `en` or `zh`; `readme` takes the README's pictures instead. Exits 1 when a page logs an error.
 */
const MAIL = 'mail'
const README = 'readme'
const folder = join(import.meta.dirname, '../../out/screenshots')
const wanted = process.argv.slice(2)
const heights: Readonly<Record<string, number>> = { 390: 844, 768: 1024, 1024: 768, 1280: 800, 1920: 1080 }
const widths = among(Object.keys(heights))
const themes = among(['light', 'dark'] as const)
const languages = among(['en', 'zh'] as const)
const pages = new Set(among([...screens.map(({ page }) => page), MAIL]))
const chosen = screens.filter(({ page }) => pages.has(page))

await mkdir(folder, { recursive: true })
const browser = await chromium.launch(chromiumLaunch())
if (pages.has(MAIL) && !wanted.includes(README)) await takeMails()
const served = await consoles()
try {
  if (wanted.includes(README)) await takeReadme()
  else await takeScreens()
} finally {
  await browser.close()
  await served.stop()
}

async function takeScreens(): Promise<void> {
  for (const width of widths) {
    const viewport = { width: Number(width), height: heights[width] ?? 800 }
    for (const language of languages) {
      const locale = language === 'zh' ? 'zh-CN' : language
      await takeAll({ viewport, locale }, `${width}-${language}`)
    }
  }
}

async function takeReadme(): Promise<void> {
  const texts = await readReadmePages(browser, served, true)
  await writeFile(textsFile, `${JSON.stringify(texts, null, 2)}\n`)
}

/** The values that the arguments name; all if they name none. */
function among<Kind extends string>(all: readonly Kind[]): readonly Kind[] {
  const named = all.filter((one) => wanted.includes(one))
  return named.length > 0 ? named : all
}

/** Renders mails as a mail program with its own colours would. */
async function takeMails(): Promise<void> {
  const page = await browser.newPage()
  for (const { name, html } of sampleMails()) {
    await page.setContent(html)
    for (const width of widths.filter((one) => Number(one) < 1024)) {
      await page.setViewportSize({ width: Number(width), height: 400 })
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme })
        await page.screenshot({ path: join(folder, `${MAIL}-${name}-${width}-${theme}.png`), fullPage: true })
      }
    }
  }
  await page.close()
}

/** One visitor per console: cookies do not distinguish ports, so two consoles in one context would share a session. */
async function takeAll(options: BrowserContextOptions, name: string): Promise<void> {
  const contexts = await visitors(browser, { ...options, reducedMotion: 'reduce' })
  for (const screen of chosen) {
    const page = await contexts[visitorOf(screen)].newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !screen.isNoisy) complain(screen, name, message.text())
    })
    try {
      await open(page, screen, served)
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme })
        await standsStill(page)
        await page.screenshot({ path: join(folder, `${screen.page}-${screen.state}-${name}-${theme}.png`) })
      }
    } catch (error) {
      complain(screen, name, String(error).slice(0, 500))
    }
    await page.close()
  }
  await Promise.all(Object.values(contexts).map((context) => context.close()))
}

async function visitors(from: Browser, options: BrowserContextOptions) {
  const names = ['nobody', 'fresh', 'empty', 'busy', 'calling', 'namedEmpty', 'namedBusy'] as const
  const made = await Promise.all(names.map(async (name) => [name, await from.newContext(options)] as const))
  // Object.fromEntries loses the names in the list's type.
  return Object.fromEntries(made) as Record<(typeof names)[number], (typeof made)[number][1]>
}

function visitorOf({ isSignedIn, at }: Screen): 'nobody' | ConsoleName {
  return isSignedIn ? at : 'nobody'
}

function complain({ page, state }: Screen, name: string, what: string): void {
  console.error(`${page}-${state}-${name}: ${what}`)
  process.exitCode = 1
}
