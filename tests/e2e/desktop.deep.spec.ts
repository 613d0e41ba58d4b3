import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect as expectAtOnce, type Page } from '@playwright/test'
import type { Desktop } from '../../shared/desktop.ts'
import { aProgram, type Program, type Wanted } from '../desktop/program.ts'
import { anUpstream } from '../support/upstream.ts'
import { ROOT } from './gateway.ts'
import { test } from './shared-browser.ts'
import { textOf } from './visitor.ts'

/** Each test starts a program and its own browser. */
const expect = expectAtOnce.configure({ timeout: 30_000 })
test.describe.configure({ timeout: 300_000 })
/** The program ends its browser itself; a trace in progress would count that as a failure of the next test. */
test.use({ trace: 'off', screenshot: 'off' })

let programs: Program[] = []
const start = async (wanted?: Wanted) => {
  const program = await aProgram(wanted)
  programs.push(program)
  return program
}
test.afterEach(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  programs = []
})

const LOOPBACK = 'http://127.0.0.1'
const STARTUP_PAGE = 'data:text/html'

/** Creates the first administrator in the window's own page. */
async function setUp(page: Page, mode: 'Self-use' | 'Several users'): Promise<void> {
  await page.locator('[name=username]').fill(ROOT.username)
  await page.locator('[name=password]').fill(ROOT.password)
  await page.locator('[name=confirmPassword]').fill(ROOT.password)
  await page.getByText(mode, { exact: true }).click()
  await page.getByRole('button', { name: 'Finish setup' }).click()
}

/** The preload's addition to the page. */
type InDesktop = { desktop: Desktop }
const ticketIn = (page: Page) => page.evaluate(() => (window as unknown as InDesktop).desktop.ticket())
const signedInAs = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null')?.username ?? null)

test('signs only its own window in automatically in self-use mode, also after a new start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-desktop-'))
  const environment = { SWITCHYARD_MASTER_KEY: 'ab'.repeat(32) }
  const first = await start({ folder, environment })
  const page = await first.page(`${LOOPBACK}:`)
  expect(await ticketIn(page)).toBeNull()
  await setUp(page, 'Self-use')
  await expect.poll(() => signedInAs(page)).toBe('root')
  await page.close()
  expect(await first.ended).toBe(0)
  const second = await start({ folder, environment })
  const again = await second.page(`${LOOPBACK}:`)
  await again.goto(`${new URL(again.url()).origin}/token`)
  await expect(again.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => signedInAs(again)).toBe('root')
  await rm(folder, { recursive: true, force: true })
})

test('has its administrator signed in after the setup, and requires the password later in external mode', async () => {
  const program = await start()
  const page = await program.page(`${LOOPBACK}:`)
  const { origin } = new URL(page.url())
  await setUp(page, 'Several users')
  await expect(page).not.toHaveURL(/setup/)
  await expect.poll(() => signedInAs(page)).toBe('root')
  await page.evaluate(() => localStorage.removeItem('user'))
  await page.context().clearCookies()
  await page.goto(`${origin}/token`)
  await expect(page).toHaveURL(/\/login/)
  expect(await ticketIn(page)).toBeNull()
})

test('lets a person in who has lost the password and the second factor (docs/operations.md#locked-out)', async () => {
  const program = await start()
  const page = await program.page(`${LOOPBACK}:`)
  const { origin } = new URL(page.url())
  await setUp(page, 'Several users')
  await expect.poll(() => signedInAs(page)).toBe('root')
  program.order({ click: 'Locked out?' })
  const help = await program.page(STARTUP_PAGE)
  await help.getByRole('link', { name: 'Remove the second factors' }).click()
  await expect(help.getByRole('status')).toHaveText('root can log in without a second factor.')
  await help.getByRole('link', { name: 'Turn password login on' }).click()
  await expect(help.getByRole('status')).toContainText('Password login is on')
  await help.getByRole('link', { name: 'Make a new password' }).click()
  await expect(help.getByRole('status')).toHaveText('The new password of root:')
  const password = await textOf(help.locator('pre').first(), /^\w{16}$/)
  await help.getByRole('link', { name: 'Copy the password' }).click()
  await expect.poll(() => program.reports).toContainEqual({ copied: password })
  expect((await signIn(origin, ROOT.password)).success).toBe(false)
  expect((await signIn(origin, password)).success).toBe(true)
  await help.getByRole('link', { name: 'Open the console' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('button', { name: 'Locked out?' }).click()
  const again = await program.page(STARTUP_PAGE)
  await expect(again.getByText('you can get back in without a password')).toBeVisible()
})

const signIn = async (origin: string, password: string) => {
  const body = JSON.stringify({ username: ROOT.username, password })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${origin}/api/user/login`, { method: 'POST', headers, body })).json()
}

test('keeps its window on the gateway; the web opens outside', async () => {
  const program = await start()
  const page = await program.page(`${LOOPBACK}:`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const own = page.url()
  // A loading page accepts no navigation: each is repeated until it is reported.
  const assign = (address: string) => page.evaluate((target) => window.location.assign(target), address).catch(() => {})
  await expect(async () => {
    await assign('https://elsewhere.example/')
    await expect.poll(() => program.reports, { timeout: 3000 }).toContainEqual({ opened: 'https://elsewhere.example/' })
  }).toPass()
  for (const address of ['mailto:somebody@elsewhere.example', 'file:///etc/passwd']) await assign(address)
  // The page is still returning from a blocked navigation, so an attempt may be lost.
  for (const target of ['https://elsewhere.example/new', 'http://elsewhere.example/plain'])
    await expect(async () => {
      await page.evaluate((address) => window.open(address), target)
      await expect.poll(() => program.reports, { timeout: 3000 }).toContainEqual({ opened: target })
    }).toPass()
  expect(program.reports).not.toContainEqual({ opened: 'file:///etc/passwd' })
  await expect.poll(() => page.context().pages()).toHaveLength(1)
  expect(page.url()).toBe(own)
})

test('has a native menu in the language of the system, then of the console', async () => {
  const program = await start({ language: 'zh-CN', environment: { LOG_LEVEL: 'info' } })
  const page = await program.page(`${LOOPBACK}:`)
  await expect.poll(program.menu).toEqual(['Switchyard', '编辑', '视图', '窗口'])
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'))
  await page.reload()
  await expect.poll(program.menu).toEqual(['Switchyard', 'Edit', 'View', 'Window'])
  program.order({ click: 'Copy address' })
  await expect.poll(() => program.reports).toContainEqual({ copied: new URL(page.url()).origin })
  program.order({ click: 'Open data folder' })
  await expect.poll(() => program.reports).toContainEqual({ opened: program.folder })
  program.order({ click: 'Open logs' })
  await expect.poll(() => program.reports).toContainEqual({ opened: join(program.folder, 'logs') })
  program.order({ click: 'About Switchyard' })
  await expect.poll(() => program.reports).toContainEqual({ about: true })
  program.order({ click: 'Quit Switchyard' })
  expect(readFileSync(join(program.folder, 'logs', 'switchyard.log'), 'utf8')).toContain('"msg":"listening"')
  expect(await program.ended).toBe(0)
})

test('shows the activity in the tray, pauses there, and runs without a window where that is set', async () => {
  const program = await start()
  const page = await program.page(`${LOOPBACK}:`)
  const tray = () => program.reports.flatMap((said) => ('tray' in said ? [said.tray] : [])).at(-1)
  const running = `Running at ${new URL(page.url()).host}`
  await expect.poll(() => tray()?.slice(0, 2)).toEqual([running, 'Today: 0 calls, $0.00'])
  const relayed = () => fetch(`${new URL(page.url()).origin}/v1/models`, { headers: { authorization: 'Bearer sk-x' } })
  program.order({ click: 'Pause relay' })
  await expect.poll(tray).toContain('✓ Pause relay')
  expect(tray()?.[0]).toBe('Paused: new requests are refused')
  expect((await relayed()).status).toBe(503)
  program.order({ click: 'Pause relay' })
  await expect.poll(() => tray()?.[0]).toBe(running)
  expect((await relayed()).status).toBe(401)
  program.order({ resume: true })
  program.order({ click: 'Back up now' })
  const told = () => program.reports.flatMap((said) => ('told' in said ? [said.told.title] : []))
  await expect.poll(told).toEqual(['The backup is complete'])
  program.order({ click: 'Keep running when the window is closed' })
  await expect.poll(tray).toContain('✓ Keep running when the window is closed')
  await page.close()
  await expect.poll(told).toEqual(['The backup is complete', 'Switchyard is still running'])
  const count = (what: 'window' | 'shown') => program.reports.filter((said) => what in said).length
  // A start at login changes nothing: a later request is handled, and nothing was shown.
  program.order({ launchAgain: true, words: ['switchyard', '--hidden'] })
  program.order({ click: 'Pause relay' })
  await expect.poll(tray).toContain('✓ Pause relay')
  expect(count('window')).toBe(1)
  program.order({ launchAgain: true, words: ['switchyard', '--hidden', 'switchyard://open/about'] })
  const again = await program.page(`${LOOPBACK}:`)
  await expect.poll(() => count('shown')).toBe(2)
  program.order({ launchAgain: true, words: ['switchyard', '--hidden'] })
  program.order({ launchAgain: true, words: ['switchyard'] })
  program.order({ click: 'Pause relay' })
  await expect.poll(() => tray()?.[0]).toBe(running)
  expect([count('window'), count('shown')]).toEqual([2, 3])
  // Until the setup is complete, every path leads to it.
  await again.waitForURL('**/setup?code=*')
  program.order({ crash: 'oom' })
  await again.getByRole('heading', { level: 1 }).waitFor()
  program.order({ crash: 'oom' })
  await again.getByRole('link', { name: 'Open the console again' }).click()
  await again.waitForURL(`${LOOPBACK}:**`)
  program.order({ click: 'Quit Switchyard' })
  expect(await program.ended).toBe(0)
  const { window, staysInTray } = JSON.parse(readFileSync(join(program.folder, 'desktop.json'), 'utf8'))
  expect([window, staysInTray]).toEqual([{ x: 10, y: 20, width: 1280, height: 800, isMaximized: false }, true])
})

test('quits from the tray where it would stay without a window, without a notice of that', async () => {
  const program = await start()
  await program.page(`${LOOPBACK}:`)
  program.order({ click: 'Keep running when the window is closed' })
  const file = join(program.folder, 'desktop.json')
  const kept = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
  await expect.poll(() => kept().staysInTray).toBe(true)
  program.order({ click: 'Quit Switchyard' })
  expect(await program.ended).toBe(0)
  expect(program.reports.filter((said) => 'told' in said)).toEqual([])
  expect(kept()).toMatchObject({ staysInTray: true, window: { width: 1280 } })
  expect(kept()).not.toHaveProperty('isTrayKnown')
})

test('shows its window without a signal of a first picture, and reports failures to copy or open', async () => {
  const program = await start({ odd: ['no first picture', 'no clipboard', 'no file manager', 'no tray'] })
  const page = await program.page(`${LOOPBACK}:`)
  await expect.poll(() => program.reports).toContainEqual({ shown: true })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const { origin } = new URL(page.url())
  program.order({ click: 'Copy address' })
  await expect.poll(() => program.reports).toContainEqual({ box: `This could not be copied:\n\n${origin}` })
  program.order({ click: 'Open data folder' })
  const box = `The folder ${program.folder} could not be opened.\n\nFailed to open path`
  await expect.poll(() => program.reports).toContainEqual({ box })
})

test('notifies once, also where the system shows no notifications, that it runs on without a window', async () => {
  const program = await start({ odd: ['no notifications'] })
  const page = await program.page(`${LOOPBACK}:`)
  const asked = () => program.reports.filter((said) => 'asked' in said)
  program.order({ click: 'Keep running when the window is closed' })
  await page.close()
  const where = expect.stringContaining('If this desktop shows none, start Switchyard again.')
  await expect.poll(asked).toEqual([{ asked: where }])
  program.order({ launchAgain: true, words: ['switchyard'] })
  const again = await program.page(`${LOOPBACK}:`)
  await again.close()
  program.order({ click: 'Quit Switchyard' })
  expect(await program.ended).toBe(0)
  expect(asked()).toHaveLength(1)
})

test('ends properly when its window is closed before it has loaded, and next to another instance', async () => {
  const [closed, second] = await Promise.all([
    start({ odd: ['closed while it loads'] }),
    start({ odd: ['second instance'] }),
  ])
  expect(await closed.ended).toBe(0)
  expect(closed.reports.filter((said) => 'shown' in said || 'box' in said)).toEqual([])
  expect(await second.ended).toBe(0)
  expect(second.reports).toEqual([])
})

/** A program with a running stream that ends when `finish` is called. */
async function aStream(environment: Record<string, string>) {
  const program = await start({ environment: { SWITCHYARD_MASTER_KEY: 'ab'.repeat(32), ...environment } })
  const page = await program.page(`${LOOPBACK}:`)
  const origin = new URL(page.url()).origin
  await setUp(page, 'Self-use')
  await expect.poll(() => signedInAs(page)).toBe('root')
  let finish = () => {}
  const vendor = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frame({ content: 'slow' }))
    finish = () => response.end(`${frame({ content: ' end' })}data: [DONE]\n\n`)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => vendor.once('listening', resolve))
  const { port } = vendor.address() as AddressInfo // it listens on a port, not on a pipe
  const key = await page.evaluate(prepare, `http://127.0.0.1:${port}`)
  const answer = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(answer.status).toBe(200)
  const finished = () => {
    finish()
    vendor.close()
  }
  return { program, origin, answer, finish: finished }
}

test('lets streams end before it quits, and a new launch takes over then', async () => {
  const { program, origin, answer, finish } = await aStream({})
  program.order({ click: 'Quit Switchyard' })
  await expect.poll(() => fetch(`${origin}/api/status`).then(String, () => 'closed')).toBe('closed')
  program.order({ launchAgain: true })
  finish()
  expect(await answer.text()).toContain(' end')
  expect(await program.ended).toBe(0)
  await expect.poll(() => program.reports).toContainEqual({ relaunch: true })
})

test('does not delay a system that shuts down, even when it is quitting', async () => {
  const { program, origin, answer, finish } = await aStream({ DRAIN_S: '3600' })
  program.order({ click: 'Quit Switchyard' })
  await expect.poll(() => fetch(`${origin}/api/status`).then(String, () => 'closed')).toBe('closed')
  program.order({ shutdown: true })
  const said = await answer.text()
  expect(said).toContain('slow')
  expect(said).toContain('"error"')
  expect(await program.ended).toBe(0)
  finish()
})

const frame = (delta: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-4o', choices: [{ index: 0, delta }] })}\n\n`

/** Runs in the page: creates a channel to the vendor and a token; returns its key. */
async function prepare(vendor: string): Promise<string> {
  const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
  const headers = { 'content-type': 'application/json', 'new-api-user': String(id) }
  const post = async (path: string, body: object) =>
    (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  await post('/api/channel', {
    type: 1,
    name: 'slow',
    key: 'upstream-key',
    base_url: vendor,
    models: 'gpt-4o',
    group: 'default',
  })
  return (await post('/api/token', { name: 'a token', unlimited_quota: true })).data.key
}

test.describe('the startup page', () => {
  test('offers another port where the usual one is taken, remembers it and can return to the usual one', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo // it listens on a port, not on a pipe
    const program = await start({ environment: { PORT: String(port) } })
    const page = await program.page(STARTUP_PAGE)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Switchyard cannot start')
    await expect(page.locator('.what')).toContainText(`Port ${port} is in use by `)
    await expect(page.locator('pre')).toContainText(`port ${port} is in use`)
    await page.getByRole('link', { name: '中文' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Switchyard 无法启动')
    await page.getByRole('link', { name: /以后使用端口/ }).click()
    const window = await program.page(`${LOOPBACK}:`)
    expect(Number(new URL(window.url()).port)).toBeGreaterThan(port)
    // From here on the menu uses the console's language.
    await window.getByRole('heading', { level: 1 }).waitFor()
    program.order({ click: `Use port ${port} again` })
    expect(await program.ended).toBe(0)
    await expect.poll(() => program.reports).toContainEqual({ relaunch: true })
    other.close()
  })

  test('confirms before the key goes into a file, and quits when its window is closed', async () => {
    const program = await start({ keychain: 'none' })
    const page = await program.page(STARTUP_PAGE)
    await expect(page.locator('.what')).toContainText('The system keychain is not responding.')
    const closing = await start({ keychain: 'none' })
    await (await closing.page(STARTUP_PAGE)).close()
    expect(await closing.ended).toBe(4)
    await page.getByRole('link', { name: 'Store the key in a file' }).click()
    await expect((await program.page(`${LOOPBACK}:`)).getByRole('heading', { level: 1 })).toHaveText(
      'Set up Switchyard',
    )
  })
})

test('sets a program up on this computer: the changes, the test request, and undoing them', async () => {
  const home = await mkdtemp(join(tmpdir(), 'switchyard-home-'))
  const file = join(home, '.claude/settings.json')
  const own = '{\n  "theme": "dark" // mine\n}\n'
  await mkdir(join(home, '.claude'))
  await writeFile(file, own)
  const vendor = await anUpstream()
  const program = await start({ environment: { HOME: home, USERPROFILE: home } })
  const page = await program.page(`${LOOPBACK}:`)
  await setUp(page, 'Self-use')
  await expect.poll(() => signedInAs(page)).toBe('root')
  const status = await page.evaluate(async (base_url) => {
    const { id } = JSON.parse(localStorage.getItem('user') ?? '{}')
    const channel = { type: 1, name: 'vendor', key: 'vendor-key', models: 'gpt-4o', group: 'default', base_url }
    const headers = { 'content-type': 'application/json', 'New-Api-User': String(id) }
    return (await fetch('/api/channel', { method: 'POST', headers, body: JSON.stringify(channel) })).json()
  }, vendor.url)
  expect(status).toMatchObject({ success: true })
  await page.goto(new URL('/connect/client', page.url()).href)
  const section = page.getByRole('region', { name: 'Set up on this computer' })
  await expect(section).toContainText(`Writes address, key and model into ${file}`)
  await expect(section).toContainText(/Tried with Claude Code \d+\.\d+\.\d+; an older one may/)
  // A second press by a hasty user does not write changes before they can be read.
  await section.getByRole('button', { name: 'Set up on this computer' }).press('Enter')
  await expect(section).toBeFocused()
  await page.keyboard.press('Enter')
  const changes = section.getByRole('figure', { name: `Changes to ${file}` })
  await expect(changes.locator('ins').filter({ hasText: 'ANTHROPIC_AUTH_TOKEN' })).toContainText('••••')
  expect(await readFile(file, 'utf8')).toBe(own)
  await section.getByRole('button', { name: 'Write and test' }).press('Enter')
  await expect(section.getByRole('status')).toContainText(/It works: the test request was answered in \d+ ms/)
  expect(vendor.requests).toHaveLength(1)
  expect(await readFile(file, 'utf8')).toContain(
    '"theme": "dark", // mine\n  "env": {\n    "ANTHROPIC_BASE_URL": "http://127.0.0.1:',
  )
  await writeFile(file, (await readFile(file, 'utf8')).replace('dark', 'light'))
  await page.reload()
  await expect(section).toContainText('has changed')
  await section.getByRole('button', { name: 'Undo' }).click()
  await expect(section.getByRole('status')).toContainText('our settings were removed')
  expect(await readFile(file, 'utf8')).toBe(own.replace('dark', 'light'))
  await vendor.stop()
  await rm(home, { recursive: true, force: true })
})
