import { randomBytes } from 'node:crypto'
import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestEncrypted } from 'node:https'
import { createServer } from 'node:net'
import type { OwnAddress } from '../../../gateway/share/interfaces.ts'
import type { ShareView } from '../../../shared/api/share.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Wanted, type World } from '../../support/world.ts'

/** An address that every Linux or Windows machine has, and that nothing else uses. */
export const HERE = '127.0.0.2'
export const ELSEWHERE = '127.0.0.3'
/** The address from which a test calls, as another device would. */
export const DEVICE = '127.0.0.9'

export const ownAddress = (address: string): OwnAddress => ({
  name: `test-${address}`,
  address,
  network: `${address}/8`,
  kind: 'private',
})

export type Shared = World &
  Readonly<{ port: number; machine: OwnAddress[]; config: { SWITCHYARD_MASTER_KEY: string } }>

/** A gateway on a machine with the address `HERE`, not shared yet. */
export async function aSharedWorld(wanted: Wanted = {}): Promise<Shared> {
  const machine = [ownAddress(HERE)]
  const config = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64'), ...wanted.config }
  const world = await aWorld({ ...wanted, config, machine: () => machine })
  return { ...world, config, machine, port: Number(new URL(world.url).port) }
}

export const change = async (world: World, settings: object): Promise<ShareView> =>
  dataOf(await world.admin.put('/api/share', settings))

export const look = async (world: World): Promise<ShareView> => dataOf(await world.admin.get('/api/share'))

export type Answer = Readonly<{ status: number; text: string; headers: IncomingMessage['headers'] }>
export type Calling = RequestOptions & Readonly<{ body?: unknown; ca?: string; key?: string }>

/** Calls from `DEVICE`, over TLS with an https address; rejects if there is no response. */
export function callFrom(url: string, { body, key, ca, ...options }: Calling = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const send = url.startsWith('https:') ? requestEncrypted : requestPlain
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    'accept-language': 'en',
    ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { authorization: `Bearer sk-${key}` }),
    ...(options.headers as Record<string, string> | undefined),
  }
  const asked = send(url, {
    localAddress: DEVICE,
    agent: false,
    method: text === undefined ? 'GET' : 'POST',
    ...(ca === undefined ? {} : { ca }),
    ...options,
    headers,
  })
  asked.on('error', reject).on('response', (response) => {
    let said = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      said += chunk
    })
    response.on('error', reject)
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text: said, headers: response.headers }))
  })
  asked.end(text)
  return promise
}

export const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error) => String(error.code),
  )

/** A port that is currently free at an address. */
export async function freePort(address: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const at = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof at === 'object' && at ? at.port : 0
}
