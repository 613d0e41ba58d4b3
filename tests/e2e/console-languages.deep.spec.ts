import { expect, type Page } from '@playwright/test'
import { en as consoleTexts } from '../../renderer/messages/en.ts'
import { channelTypeLabel, channelTypes } from '../../shared/channel-types.ts'
import { connectClients } from '../../shared/connect/clients.ts'
import { en as sharedTexts } from '../../shared/messages/en.ts'
import { type Locale, languageTag, locales } from '../../shared/messages/locales.ts'
import { expectAccessible, overhangs, standsStill } from './accessible.ts'
import { type Consoles, consoles } from './furnished.ts'
import { open, type Screen, standsApart } from './screens/screen.ts'
import { screens } from './screens.ts'
import { onEmptyPage, test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

const fixture = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
test.use({ colorScheme: 'light', viewport: fixture })

let served: Consoles
test.beforeAll(async () => {
  served = await consoles()
})
test.afterAll(() => served.stop())

/** Every page once. The texts of background jobs come from the gateway, here from a stub in English. */
const plain = screens.filter(
  (screen) => !screen.act && !standsApart(screen) && screen.state !== 'no-match' && screen.page !== 'jobs',
)
const pages = Map.groupBy(plain, ({ page, isSignedIn }) => `${page} ${isSignedIn}`)
const firsts = [...pages.values()].flatMap((ones) => ones.find(({ at }) => at !== 'empty') ?? ones[0] ?? [])
const visits = Map.groupBy(firsts, ({ at, isSignedIn }) => `${isSignedIn ? 'an administrator' : 'a visitor'}, ${at}`)

/** Names, and what users and operators have written. */
const data = [
  ...connectClients.map(({ name }) => name),
  ...Object.values(channelTypes).map((type) => channelTypeLabel(type, 'fr')),
  'AI as Workspace',
  'CC Switch',
  'ChatGPT Next Web',
  'Lobe Chat',
  'LM Studio',
  'Who we are',
  'The gateway of the research group. Questions go to',
  'Main account',
  'Old account',
  'Second account of the research department',
  'first client',
  'no such parameter (request id:',
  'Pays by invoice; ask the accounting department before the quota is raised',
  'Wilhelmina Kowalewska',
].toSorted((one, other) => other.length - one.length)

const speak = (page: Page, { at }: Screen, locale: Locale) =>
  onEmptyPage(page.context(), served[at].url, (empty) =>
    empty.evaluate((tag) => localStorage.setItem('i18nextLng', tag), languageTag(locale)),
  )

/** English texts, marked and a third longer: what is shown without marks was not translated. */
const pseudo = (text: string): string =>
  text.replaceAll(/\{\w+\|[^{}]*\}|\{\w+\}|[^{}]+|[{}]/g, (part) => {
    if (/^\{\w+\}$|^[{}]$/.test(part)) return part
    if (part.startsWith('{')) return part.replaceAll(/(?<=:)[^|}]*/g, longer)
    return longer(part)
  })
const longer = (text: string) => `⟦${text.padEnd(Math.ceil((text.length * 4) / 3) - 2, '·')}⟧`

/** Replaces French, in which nothing else is shown. */
async function speakPseudo(page: Page): Promise<void> {
  const texts = Object.entries({ ...sharedTexts, ...consoleTexts }).map(([key, text]) => [key, pseudo(text)])
  const body = `export const fr = ${JSON.stringify(Object.fromEntries(texts))}`
  await page.route(/\/assets\/fr-[^/]*\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

/** Texts and labels of two words or more that have no marks and are no data. */
const unmarked = (page: Page) =>
  page.evaluate((names) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    const add = (text: string | null | undefined) => {
      const own = names.reduce((left, name) => left.replaceAll(name, ' '), (text ?? '').replaceAll(/⟦[^⟧]*⟧/g, ' '))
      if (/\p{L}{2,} \p{L}{2,}/u.test(own)) found.push(own.trim())
    }
    while (walker.nextNode()) {
      const { parentElement: parent, nodeValue } = walker.currentNode
      if (parent?.checkVisibility() && !parent.closest('code, pre, textarea')) add(nodeValue)
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-description]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
        add(element.getAttribute(name))
    return [...new Set(found)]
  }, data)

for (const [name, visit] of visits) {
  test(`${name}: all texts are translated, and texts a third longer fit`, async ({ page }) => {
    test.setTimeout(60_000 + 10_000 * visit.length)
    let before: Screen | undefined
    await speakPseudo(page)
    for (const screen of visit) {
      await test.step(`${screen.page}-${screen.state}`, async () => {
        if (!before) await speak(page, screen, 'fr')
        await open(page, screen, served, before)
        before = screen
        expect(await unmarked(page)).toEqual([])
        for (const size of [fixture, phone]) {
          await page.setViewportSize(size)
          await standsStill(page)
          await expect.poll(() => overhangs(page), `${size.width} wide`).toEqual([])
        }
        await page.setViewportSize(fixture)
      })
    }
  })
}

const translated = locales.filter((locale) => locale !== 'en')
const busy = firsts.filter(({ at, isSignedIn }) => at === 'busy' && isSignedIn)
for (const locale of translated) {
  test(`${locale}: axe finds nothing, nothing is wider than a window or a phone, and nothing is logged`, async ({
    page,
  }) => {
    test.setTimeout(60_000 + 10_000 * busy.length)
    const troubles = troublesOf(page)
    let before: Screen | undefined
    for (const screen of busy) {
      await test.step(`${screen.page}-${screen.state}`, async () => {
        if (!before) await speak(page, screen, locale)
        await open(page, screen, served, before)
        before = screen
        await expect(page.locator('html')).toHaveAttribute('lang', languageTag(locale))
        for (const size of [fixture, phone]) {
          await page.setViewportSize(size)
          await standsStill(page)
          await expect.poll(() => overhangs(page), `${size.width} wide`).toEqual([])
          await expectAccessible(page)
        }
        await page.setViewportSize(fixture)
        expect(troubles).toEqual([])
      })
    }
  })
}
