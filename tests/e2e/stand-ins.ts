import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { SMTPServer } from 'smtp-server'

/** A fake external server on loopback; `stop` ends it. */
export type StandIn = Readonly<{ url: string; port: number; asked: string[]; stop: () => Promise<void> }>

/** Responds to every request with the function's result for its body, and stores the bodies; undefined means 404. */
export async function aStandIn(answering: (body: string, path: string) => unknown): Promise<StandIn> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    asked.push(body)
    const answer = answering(body, request.url ?? '')
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, port, asked, stop }
}

/** A mail server that accepts and stores all mail, except to recipients named `nobody`. */
export async function aMailBox(): Promise<StandIn> {
  const asked: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('nobody@')
        ? done(Object.assign(new Error('No such mailbox here'), { responseCode: 550 }))
        : done(),
    onData(stream, _, done) {
      text(stream).then((mail) => {
        asked.push(mail)
        done(null)
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { url: '', port, asked, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** A fake of Cloudflare's script: its widget immediately gives a token that names its site key. */
export const widgetScript = `window.turnstile = {
  render(_, { sitekey, callback }) {
    document.querySelector('#widget').textContent = 'verified ' + sitekey
    setTimeout(() => callback('token-of-' + sitekey + '-' + performance.now()), 50)
  },
}`

export const TELEGRAM_SCRIPT = 'https://telegram.org/js/telegram-widget.js?22'

/**
 * A fake of Telegram's script: like it, it frames a button, and navigates to `data-auth-url` with the frame's message.
 */
const telegramScript = `{
  const { telegramLogin, authUrl } = document.currentScript.dataset
  const frame = document.createElement('iframe')
  Object.assign(frame, { src: 'https://oauth.telegram.org/embed/' + telegramLogin, width: 238, height: 40 })
  frame.style.border = 'none'
  document.currentScript.before(frame)
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow) return
    const { href } = Object.assign(document.createElement('a'), { href: authUrl })
    location.href = href + (href.includes('?') ? '&' : '?') + data
  })
}`

/** Fakes Telegram's script and its button; pressing it sends these fields. */
export async function withTelegram(page: Page, fields = ''): Promise<void> {
  await page.route(TELEGRAM_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: telegramScript }))
  const button = `<button style="width:238px;height:40px" onclick="parent.postMessage('${fields}', '*')">Log in as Ann</button>`
  await page.route('https://oauth.telegram.org/embed/*', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>Telegram</title><body style="margin:0"><main>${button}</main>`,
    }),
  )
}
