// `node scripts/check-package.mjs <program> [its flags]`: starts a packed desktop program on a new folder, watches it
// over the remote debugging port, sets it up, relays one call through a fake vendor, makes it quit, starts it again,
// and checks that its data is still there and its fuses hold. Exits 0 on success; otherwise reports what is missing.
// Needs no screen except Xvfb's.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const START_MS = 90_000
const STOP_MS = 60_000
const account = { username: 'root', password: randomBytes(12).toString('hex') }
const QUESTION = { model: 'gpt-4o', messages: [{ role: 'user', content: 'What time is it?' }] }
const ANSWER = 'Half past nine.'

const [program, ...flags] = process.argv.slice(2)
if (!program) {
  console.error('usage: node scripts/check-package.mjs <program> [its flags]')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'switchyard-check-'))
/** A file that only code that must not run would write. */
const marker = join(folder, 'ran')
const masterKey = randomBytes(32).toString('base64')
const vendor = await listening(createServer(answerAsVendor))
let running
try {
  await check()
  console.log('The package works.')
} catch (error) {
  console.error(`The package does not work: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  await end()
  vendor.server.close()
  // Windows locks the files of a program for a moment after its end.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
// Pending promises no longer matter.
process.exit()

async function check() {
  const first = await start()
  await setUp(first)
  const key = await relay(first)
  const before = await whatIsThere(await signedIn(first.origin))
  expect(before.calls === 1 && before.used > 0, `one call was charged: ${JSON.stringify(before)}`)
  await stop(first)

  const second = await start(nodesWays())
  expect(!existsSync(marker), 'no code of others runs in it, as Node, by NODE_OPTIONS or an inspector')
  const after = await whatIsThere(await signedIn(second.origin))
  expect(JSON.stringify(after) === JSON.stringify(before), `all is there again: ${JSON.stringify(after)}`)
  await ask(second.origin, key)
  await stop(second)
}

/** Options that would make the program act as Node, or run foreign code: its fuses must make it start normally. */
function nodesWays() {
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`
  const script = join(folder, 'preload.cjs')
  writeFileSync(script, code)
  // The stand-in is Node itself, without fuses.
  if (program === process.execPath) return { args: ['-e', code] }
  const env = { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require=${JSON.stringify(script)}` }
  return { env, args: ['--inspect-brk=0', '-e', code] }
}

/** Starts the program and waits for the page of its window. */
async function start({ env: more = {}, args = [] } = {}) {
  const { server, port } = await listening(createServer())
  server.close()
  const data = join(folder, 'data')
  const env = { ...process.env, DATA_DIR: data, PORT: '0', SWITCHYARD_MASTER_KEY: masterKey }
  delete env.ELECTRON_RUN_AS_NODE
  Object.assign(env, more)
  const root = process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : []
  const own = [`--remote-debugging-port=${port}`, `--user-data-dir=${join(folder, 'profile')}`, ...root]
  const child = spawn(program, [...flags, ...own, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  running = { child, ended }
  const isOver = ended.then((code) => Promise.reject(new Error(`it ended with ${code} while it was waited for`)))
  isOver.catch(() => {})
  const page = await Promise.race([isOver, windowAt(port)])
  const { origin, search } = new URL(page.url)
  const status = await (await fetch(`${origin}/api/status`)).json()
  expect(status.success === true, `/api/status of ${origin} answers`)
  console.log(`${origin} runs ${status.data.version}; its window shows ${page.title || origin}`)
  return { origin, search, child, ended, debugging: `http://127.0.0.1:${port}` }
}

/** The window's target on the debugging port, once it shows the gateway's own page. */
async function windowAt(port) {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline) {
    const pages = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      (answer) => answer.json(),
      () => [],
    )
    const page = pages.find(({ type, url }) => type === 'page' && url.startsWith('http://127.0.0.1:'))
    if (page) return page
    await pause(100)
  }
  throw new Error(`no window with the console was seen within ${START_MS / 1000} s`)
}

/**
 * Makes the program quit as its menu does, through the debugging port, which works on every system. A closed window
 * would leave it in the tray of Windows and in the dock of macOS, and Windows has no signal that a program could
 * receive.
 */
async function stop({ child, ended, debugging }) {
  const { webSocketDebuggerUrl } = await (await fetch(`${debugging}/json/version`)).json()
  const wire = new WebSocket(webSocketDebuggerUrl)
  wire.onopen = () => wire.send(JSON.stringify({ id: 1, method: 'Browser.close' }))
  const code = await Promise.race([ended, pause(STOP_MS, 'nothing', { ref: false })])
  expect(code === 0, `it quits with 0 within ${STOP_MS / 1000} s, and ended with ${code}`)
  if (running?.child === child) running = undefined
}

/** Kills the program if it still runs, and waits until it has ended. */
async function end() {
  if (!running) return
  running.child.kill('SIGKILL')
  await Promise.race([running.ended.catch(() => {}), pause(STOP_MS, undefined, { ref: false })])
}

async function setUp({ origin, search }) {
  const form = { ...account, confirmPassword: account.password, SelfUseModeEnabled: true }
  await call(origin, {}, 'POST', `/api/setup${new URLSearchParams(search).has('code') ? search : ''}`, form)
}

/** Creates a channel to the vendor and a key, and sends a request with it; returns the key. */
async function relay({ origin }) {
  const identity = await signedIn(origin)
  const channel = { type: 1, name: 'check', key: 'check', base_url: vendor.url, models: 'gpt-4o', group: 'default' }
  await call(origin, identity.headers, 'POST', '/api/channel', channel)
  const token = { name: 'check', unlimited_quota: true }
  const { key } = await call(origin, identity.headers, 'POST', '/api/token', token)
  await ask(origin, key)
  return key
}

async function ask(origin, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(QUESTION),
  })
  const text = await response.text()
  expect(response.ok && text.includes(ANSWER), `a call is relayed: ${response.status} ${text.slice(0, 300)}`)
}

async function signedIn(origin) {
  const response = await fetch(`${origin}/api/user/login`, posted(account))
  const { success, message, data } = await response.json()
  expect(success === true, `the administrator signs in: ${message}`)
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { origin, headers: { cookie, 'new-api-user': String(data.id) } }
}

/** Data that must survive a restart. */
async function whatIsThere({ origin, headers }) {
  const [channels, tokens, log, self] = await Promise.all(
    ['/api/channel?page_size=10', '/api/token?page_size=10', '/api/log/?type=2&page_size=10', '/api/user/self'].map(
      (path) => call(origin, headers, 'GET', path),
    ),
  )
  const items = (list) => (list.items ?? list).map(({ id, name }) => `${id} ${name ?? ''}`)
  return { channels: items(channels), tokens: items(tokens), calls: (log.items ?? log).length, used: self.used_quota }
}

async function call(origin, headers, method, path, body) {
  const init = body === undefined ? { method } : { ...posted(body), method }
  const response = await fetch(origin + path, { ...init, headers: { ...init.headers, ...headers } })
  const { success, message, data } = await response.json()
  expect(success === true, `${method} ${path} answers: ${message}`)
  return data
}

function posted(body) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** A vendor that reports no usage, so that the package counts tokens itself. */
function answerAsVendor(request, response) {
  request.resume().once('end', () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }]
    const body = { id: 'check', object: 'chat.completion', created: 1, model: 'gpt-4o', choices }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
}

async function listening(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address()
  return { server, port, url: `http://127.0.0.1:${port}` }
}

function expect(isSo, what) {
  if (!isSo) throw new Error(what)
}
