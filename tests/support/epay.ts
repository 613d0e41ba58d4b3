import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Fields of a form or of a notice, by name. */
export type Fields = Record<string, string>

/** How a notice is sent, and what is wrong with it. */
export type Telling = Readonly<{
  /** Fields that differ from those of the payment; undefined leaves one out. They are signed too. */
  fields?: Readonly<Record<string, string | undefined>>
  key?: string
  method?: 'GET' | 'POST'
  /** Changes the query after it is signed. */
  forge?: (query: string) => string
}>

/** A payment provider of the Epay protocol: it receives forms and sends notices of payments. */
export interface Epay {
  readonly url: string
  readonly pid: string
  readonly key: string
  /** Received forms with a valid signature, by the merchant's trade number. */
  readonly taken: ReadonlyMap<string, Fields>
  /** The query of a notice, which is also used to redirect the user back. */
  notice(form: Fields, telling?: Telling): string
  /** Notifies the merchant of a paid order; returns its response, or undefined if there is none. */
  tells(form: Fields, telling?: Telling): Promise<string | undefined>
  stop(): Promise<void>
}

/** The protocol's signature, implemented independently from its description. */
export function signed(fields: Fields, key: string): string {
  const names = Object.keys(fields).filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '')
  const line = names
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return createHash('md5').update(line).update(key).digest('hex')
}

/** Starts a provider on a loopback port; it responds to a form with a page, or with what is wrong with it. */
export async function anEpay(pid = '1001', key = 'the-merchants-own-key'): Promise<Epay> {
  const taken = new Map<string, Fields>()
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    const isRight = form.pid === pid && form.sign === signed(form, key) && request.url === '/epay/submit.php'
    if (isRight && form.out_trade_no) taken.set(form.out_trade_no, form)
    response.writeHead(isRight ? 200 : 400, { 'content-type': 'text/html; charset=utf-8' })
    response.end(isRight ? `<title>Cashier</title><h1>Pay ${form.money}</h1>` : 'the form is not right')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const notice: Epay['notice'] = (form, { fields = {}, key: by = key } = {}) => {
    const told = {
      pid,
      trade_no: `20260101${form.out_trade_no}`,
      out_trade_no: form.out_trade_no,
      type: form.type,
      name: form.name,
      money: form.money,
      trade_status: 'TRADE_SUCCESS',
      ...fields,
    }
    const given = Object.fromEntries(
      Object.entries(told).filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
    const query = new URLSearchParams({ ...given, sign: signed(given, by) })
    if (!query.has('sign_type')) query.set('sign_type', 'MD5')
    return query.toString()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/epay`, // a listening TCP server has one
    pid,
    key,
    taken,
    notice,
    async tells(form, telling = {}) {
      const { method = 'GET', forge = (query: string) => query } = telling
      const query = forge(notice(form, telling))
      const address = form.notify_url ?? ''
      const posted = { method, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: query }
      const asked = method === 'GET' ? fetch(`${address}?${query}`) : fetch(address, posted)
      return asked.then((response) => response.text()).catch(() => undefined)
    },
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
