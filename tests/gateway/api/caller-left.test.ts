import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Context } from 'koa'
import { afterEach, expect, it } from 'vitest'
import type { Sessions } from '../../../gateway/accounts/login/sessions.ts'
import { readBytes } from '../../../gateway/api/middleware/body.ts'
import { callerOf } from '../../../gateway/api/middleware/session.ts'
import { forwardAnswer } from '../../../gateway/relay/auxiliary/forward.ts'

const server = createServer()
afterEach(() => void server.close())

/** A request whose caller left while its permissions were looked up. */
async function leftRequest(): Promise<Readonly<{ req: IncomingMessage; res: ServerResponse; ctx: Context }>> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const caller = connect(port, '127.0.0.1').on('error', () => {})
  caller.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhal')
  const [req, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  req.on('error', () => {})
  const closed = [req, res].map((end) => new Promise((resolve) => end.once('close', resolve)))
  caller.destroy()
  await Promise.all(closed)
  const ctx = { req, res, get: () => '', cookies: { get: () => undefined }, state: {} }
  return { req, res, ctx: ctx as unknown as Context } // only the members that are used
}

it('a caller that leaves before its body is read is waited for no more (docs/reference/limits.md#connections)', async () => {
  const { ctx, res } = await leftRequest()
  const origin = { ip: '10.0.0.1', loopback: false, secure: false }
  const { gone } = callerOf(ctx, origin as never, {} as Sessions)
  expect(gone.aborted).toBe(true)
  await expect(readBytes(ctx, 1)).rejects.toThrow('input.invalid')
  let aborted = 0
  const reply = { status: 200, headers: { 'content-type': 'text/event-stream' }, detach() {}, abort: () => aborted++ }
  await forwardAnswer({ codecs: {} } as never, reply as never, {} as never, { response: res, head: {} } as never, {
    grow() {},
    giveBack() {},
    isMuchOfAccount: false,
  })
  expect(aborted).toBe(1)
})
