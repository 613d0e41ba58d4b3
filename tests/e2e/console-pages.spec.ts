import { expect } from '@playwright/test'
import { expectAccessible, overhangs, standsStill } from './accessible.ts'
import { type Consoles, consoles } from './furnished.ts'
import { open, type Screen, standsApart } from './screens/screen.ts'
import { screens } from './screens.ts'
import { test } from './shared-browser.ts'
import { troublesOf } from './visitor.ts'

// Opens every page once with data; console-looks.deep.spec.ts covers all their states.

const fixture = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

let served: Consoles
test.beforeAll(async () => {
  served = await consoles()
})
test.afterAll(() => served.stop())

const plain = screens.filter((screen) => !screen.act && !standsApart(screen) && screen.state !== 'no-match')
const pages = Map.groupBy(plain, ({ page, isSignedIn }) => `${page} ${isSignedIn}`)
const firsts = [...pages.values()].flatMap((ones) => ones.find(({ at }) => at !== 'empty') ?? ones[0] ?? [])
const visits = Map.groupBy(firsts, visitorOf)

function visitorOf({ at, isSignedIn, page }: Screen): string {
  if (!isSignedIn) return `a visitor, ${at}`
  return `an administrator, ${at}, ${page < 'j' ? 'a to i' : 'j to z'}`
}

test.use({ colorScheme: 'light', viewport: fixture })

for (const [name, visit] of visits) {
  test(`${name}: axe finds nothing, nothing is wider than a window or a phone, and nothing is logged`, async ({
    page,
  }) => {
    const troubles = troublesOf(page)
    let before: Screen | undefined
    for (const screen of visit) {
      await test.step(`${screen.page}-${screen.state}`, async () => {
        await open(page, screen, served, before)
        before = screen
        await expectAccessible(page)
        expect(await overhangs(page)).toEqual([])
        await page.setViewportSize(phone)
        await standsStill(page)
        await expect.poll(() => overhangs(page)).toEqual([])
        await page.setViewportSize(fixture)
        expect(troubles).toEqual([])
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
    }
  })
}
