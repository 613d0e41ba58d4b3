import { once } from 'node:events'
import { request } from 'node:http'
import { readControlFile } from '../../gateway/control/control-file.ts'
import { CONTROL_HEADER } from '../../gateway/control/control-socket.ts'
import { gatewayFile } from '../support/headless.ts'
import type { Networks } from './two-networks.ts'

/** The gateway's port within its network. */
export const PORT = 6411

/** Starts a gateway on a folder in the server's network; resolves when it listens. */
export async function networkedGateway(networks: Networks, folder: string, masterKey: string): Promise<void> {
  const child = networks.spawn([process.execPath, gatewayFile], {
    DATA_DIR: folder,
    PORT: String(PORT),
    SWITCHYARD_MASTER_KEY: masterKey,
    GLOBAL_API_RATE_LIMIT: '0',
    GLOBAL_WEB_RATE_LIMIT: '0',
    USE_SYSTEM_CERTIFICATES: 'false',
  })
  let out = ''
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      out += part
      if (/Switchyard is listening/.test(out)) resolve()
    })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the gateway ended: ${out}`)))
  ended.catch(() => {})
  await Promise.race([listening, ended])
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
type Reply = { success: boolean; message: string; data: any }

/** Calls the API as the command line does, as root over a local socket, which is independent of networks. */
export function asRoot(folder: string, method: string, path: string, sent?: object, more: object = {}): Promise<Reply> {
  const way = readControlFile(folder)
  if (!way) throw new Error('the gateway does not run')
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const headers = { [CONTROL_HEADER]: way.secret, 'content-type': 'application/json', 'accept-language': 'en', ...more }
  const asked = request({ socketPath: way.socket, method, path, headers })
  asked.on('error', reject).on('response', async (response) => {
    let text = ''
    for await (const part of response) text += part
    resolve(JSON.parse(text))
  })
  asked.end(sent && JSON.stringify(sent))
  return promise
}
