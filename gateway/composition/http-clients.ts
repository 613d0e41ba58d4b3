import type { SystemProxy } from '../base/network/http-client.ts'
import { createHttpClient, type HttpClient } from '../base/network/http-client.ts'
import { noSystemProxy } from '../base/network/system-proxy.ts'
import type { Config } from '../config.ts'
import { createPools, type Pools } from '../relay/upstream/connection-pools.ts'

/** Clients for relayed requests, and for the gateway's own calls to addresses that administrators enter. */
type HttpClients = Readonly<{ pools: Pools; http: HttpClient }>

/** Both clients use the proxy of a channel if it has one, else the system's. */
export function createHttpClients(config: Config, systemProxy: SystemProxy = noSystemProxy): HttpClients {
  const connect = config.UPSTREAM_CONNECT_TIMEOUT
  const waits = { connect, headers: config.UPSTREAM_HEADERS_TIMEOUT, idle: config.STREAMING_TIMEOUT }
  return { pools: createPools(waits, systemProxy), http: createHttpClient(connect * 1000, systemProxy) }
}
