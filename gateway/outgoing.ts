import { createHttpClient, type HttpClient } from './base/http-client.ts'
import { noSystemProxy, type SystemProxy } from './base/system-proxy.ts'
import type { Config } from './config.ts'
import { createPools, type Pools } from './relay/upstream/connection-pools.ts'

/** What leaves this gateway: relayed requests, and its own calls to addresses that administrators have entered. */
export type Outgoing = Readonly<{ pools: Pools; http: HttpClient }>

/** Both go over the proxy of a channel where it has one, else over the system's. */
export function createOutgoing(config: Config, systemProxy: SystemProxy = noSystemProxy): Outgoing {
  const connect = config.UPSTREAM_CONNECT_TIMEOUT
  const waits = { connect, headers: config.UPSTREAM_HEADERS_TIMEOUT, idle: config.STREAMING_TIMEOUT }
  return { pools: createPools(waits, systemProxy), http: createHttpClient(connect * 1000, systemProxy) }
}
