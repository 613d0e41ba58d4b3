import { createHttpClient, type HttpClient } from '../base/network/http-client.ts'
import type { CommandDeps } from './command.ts'
import type { Finding } from './health-check.ts'

const WAIT_MS = 10_000
const MAX_BYTES = 1024 * 1024

/** Whether an address responds at all, with any status. */
export async function upstreamFinding(address: string, goOut: CommandDeps['goOut']): Promise<Finding> {
  const check = 'upstream'
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return {
      check,
      state: 'problem',
      found: `${address} is no address`,
      advice: 'name one such as https://api.openai.com',
    }
  let http: HttpClient | undefined
  try {
    http = createHttpClient(WAIT_MS, goOut())
    const { status } = await http.fetchTrusted(address, { timeoutMs: WAIT_MS, maxBytes: MAX_BYTES })
    return { check, state: 'ok', found: `${new URL(address).host} answers (${status})` }
  } catch (cause) {
    const found = `${new URL(address).host} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`
    return {
      check,
      state: 'problem',
      found,
      advice: 'look at the network, the name server and the proxy of this machine',
    }
  } finally {
    await http?.close()
  }
}
