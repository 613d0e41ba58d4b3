import { expect as expectAtOnce, type Frame, type Page } from '@playwright/test'
import { aProgram, type Program } from '../desktop/program.ts'
import { ROOT } from './gateway.ts'
import { test } from './shared-browser.ts'

/** Each test starts a program and its own browser. */
const expect = expectAtOnce.configure({ timeout: 30_000 })
test.describe.configure({ timeout: 300_000 })
/** The program ends its browser itself; a trace in progress would count that as a failure of the next test. */
test.use({ trace: 'off', screenshot: 'off' })

/** The operator's own page, taken over by an attacker. */
const PAGE = `<!doctype html><title>framed</title>
<a id="web" target="_blank" href="https://elsewhere.example/web">web</a>
<a id="mail" target="_blank" href="mailto:somebody@elsewhere.example">mail</a>
<a id="program" target="_blank" href="ama://set-api-key?key=x">program</a>
<a id="top" target="_top" href="https://elsewhere.example/top">top</a>`

let program: Program | undefined
test.afterEach(() => program?.stop())

/** Creates the first administrator in the window's own page, and makes the operator's page the home page. */
async function withOperatorPage(page: Page): Promise<void> {
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('[name=confirmPassword]').fill(ROOT.password)
  await page.getByText('Self-use', { exact: true }).click()
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user') ?? '')).toContain('root')
  await page.evaluate(async () => {
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const headers = { 'content-type': 'application/json', 'new-api-user': String(id) }
    const body = JSON.stringify({ key: 'About', value: 'https://framed.example/' })
    await fetch('/api/option', { method: 'PUT', headers, body })
  })
}

async function frameIn(page: Page): Promise<Frame> {
  await page.locator('iframe').waitFor()
  const found = () => page.frames().find((one) => one.url() === 'https://framed.example/')
  await expect.poll(found).toBeDefined()
  return found()! // it was found above
}

test('a page in a frame leads the window nowhere, starts no program, and opens the web once the person agrees (docs/reference/security.md#desktop-frames)', async () => {
  program = await aProgram({ environment: { DOUBLE_FRAMED: PAGE } })
  const { reports } = program
  const page = await program.page('http://127.0.0.1:')
  await withOperatorPage(page)
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/about`)
  const frame = await frameIn(page)
  const own = page.url()
  for (const id of ['mail', 'program', 'top']) await frame.locator(`#${id}`).click()
  await frame.evaluate((console) => {
    open(`${console}/log`)
    open('https://elsewhere.example/unpressed')
    try {
      top?.location.assign('https://elsewhere.example/led')
    } catch {}
  }, origin)
  await frame.locator('#web').click()
  await expect.poll(() => reports).toContainEqual({ opened: 'https://elsewhere.example/web' })
  const outside = reports.flatMap((said) => ('opened' in said ? [said.opened] : []))
  const asked = reports.flatMap((said) => ('asked' in said ? [said.asked] : []))
  expect(asked, 'nothing of a frame opens unasked').toEqual(outside)
  expect(outside.filter((address) => !/^https:\/\/elsewhere\.example\/(web|unpressed)$/.test(address))).toEqual([])
  expect(page.url()).toBe(own)
  await expect.poll(() => page.context().pages()).toHaveLength(1)
})
