import { join } from 'node:path'
import { TURNSTILE_VERIFY_URL } from '../accounts/login/human-check.ts'
import { createShellIdentity } from '../accounts/login/shell-identity.ts'
import type { AccountRecovery } from '../accounts/recovery/account-recovery.ts'
import { createAccountRecovery, createRecoveryApi } from '../api/account/account-recovery.ts'
import { createAreas } from '../api/areas.ts'
import { createFront, type Front } from '../api/front.ts'
import { createKoa } from '../api/koa.ts'
import { createHostGuard, type HostGuard } from '../api/middleware/host.ts'
import { createPayment } from '../api/money/payment.ts'
import { createPlayground } from '../api/playground.ts'
import { type ApiDeps, createApi } from '../api/server.ts'
import { createConsole } from '../api/static.ts'
import { createDocs } from '../api/system/docs.ts'
import { installation, version, viewerFolder } from '../installation.ts'
import { createBodyPace } from '../limits/body-pace.ts'
import { ranges } from '../limits/client-address.ts'
import { createHttpRates } from '../limits/http-rate.ts'
import { createSharing } from '../share/sharing.ts'
import type { RequestScope } from '../store/store.ts'
import type { Core, GatewayOptions } from './core.ts'
import type { Domains } from './domains.ts'
import { createLanServers, lanGuard, lanHosts } from './lan-server.ts'

/**
 * Routes incoming requests: to the relay first, then the console's API, then its files. Also routes the requests of the
 * command line, which has root's permissions.
 */
export function createHttpServers(core: Core, domains: Domains, options: GatewayOptions) {
  const { consoleFolder, checkAnswers = false, verifyUrl = TURNSTILE_VERIFY_URL } = options
  const { config, clock, log, settings, address } = core
  const { access, relay, identities } = domains
  const isTrustedProxy = config.TRUSTED_PROXIES.length > 0 ? ranges(config.TRUSTED_PROXIES) : () => false
  const limits = limitsOf(core)
  const rates = createHttpRates(limits)
  const serverAddress = () => settings.serverAddress()
  const hosts = hostsOf(core)
  const playground = createPlayground({ identity: access.identity, identities, serverAddress, isTrustedProxy })
  const { sessions, identity, recentLogin } = access
  const sockets = { all: config.MAX_SOCKETS, perAddress: config.MAX_SOCKETS_PER_ADDRESS, isExempt: isTrustedProxy }
  const listeners: { shared?: Front } = {}
  const sharing = createSharing({
    ...core,
    passwords: domains.passwords,
    setup: access.setup,
    ownPort: () => address.bound?.port,
    machine: options.machine,
    makeLanServer: createLanServers({
      sockets,
      log,
      front() {
        const { sharedApiLimit: api = limits.api } = options
        const { mayRegister } = sharing
        const shared = { rates: createHttpRates({ ...limits, api }), guard: lanGuard, mayRegister }
        listeners.shared ??= frontOf(lanHosts(sharing, hosts), shared)
        return listeners.shared
      },
    }),
  })
  address.forOthers = sharing.urls
  const wouldKnow: HostGuard['wouldKnow'] = (host, name) => hosts.wouldKnow(host, name) || sharing.isKnown(host)
  const own = { version, hosts: { wouldKnow }, verifyUrl, sharing }
  const areas = createAreas({ ...core, ...domains, ...own })
  const folder = consoleFolder ?? join(installation, 'out', 'renderer')
  const common = {
    areas,
    sessions,
    recentLogin,
    serverAddress,
    operatorRole: config.OPTION_MIN_ROLE,
    log,
    checkAnswers,
  }
  const pace = createBodyPace({ clock })
  const ofFronts = { playground, pace, isReady: core.isReady, clock, log }
  const frontOf = (known: Pick<HostGuard, 'isKnown'>, at: Pick<ApiDeps, 'rates' | 'guard' | 'mayRegister'>): Front => {
    const limited = { rates: at.rates, isTrustedProxy }
    const app = createKoa(log)
    const isDemo = () => settings.get('DemoSiteEnabled')
    app.use(createDocs({ version, viewerFolder, ...limited }))
    app.use(createPayment({ wallet: domains.wallet, settings, ...limited, log }))
    const { devices } = relay
    app.use(createApi({ ...common, ...at, identity, devices, isTrustedProxy, isDemo }))
    app.use(createConsole({ folder, settings, ...limited }))
    const front = createFront({ app, hosts: known, routes: relay.routes, ...limited, ...ofFronts })
    return inScope(front, core.store.requests)
  }
  const accountRecovery = accountRecoveryOf(core, domains)
  const shell = createShellHandler(core, accountRecovery, { areas, sessions, recentLogin, serverAddress, checkAnswers })
  return { ...frontOf(hosts, { rates }), sockets, hosts, pace, sharing, accountRecovery, shell: shell.callback() }
}

const inScope = (front: Front, { run }: RequestScope): Front => ({
  handler: (...request) => run(() => front.handler(...request)),
  expecting: (...request) => run(() => front.expecting(...request)),
  upgrade: (...request) => run(() => front.upgrade(...request)),
})

const limitsOf = ({ config, shared }: Core) => ({
  api: config.GLOBAL_API_RATE_LIMIT,
  web: config.GLOBAL_WEB_RATE_LIMIT,
  critical: config.CRITICAL_RATE_LIMIT,
  rates: shared.rates,
})

/** Host names accepted on the gateway's own listener. */
function hostsOf({ config, clock, settings, address }: Core): HostGuard {
  const hosts = createHostGuard({
    bound: () => address.bound,
    serverAddress: () => settings.get('ServerAddress'),
    callbackAddress: () => settings.get('CustomCallbackAddress'),
    allowed: config.ALLOWED_HOSTS,
    clock,
  })
  settings.onChange(['ServerAddress', 'CustomCallbackAddress'], () => hosts.refresh())
  return hosts
}

type ShellServerDeps = Pick<
  Parameters<typeof createApi>[0],
  'areas' | 'sessions' | 'recentLogin' | 'serverAddress' | 'checkAnswers'
>

function accountRecoveryOf(core: Core, domains: Domains): AccountRecovery {
  const { settings, shared } = core
  return createAccountRecovery({
    ...core,
    async forgetUser(userId) {
      await domains.forget(userId)
      await shared.changes.publish('users', [String(userId)])
    },
    async publishOptions(keys) {
      await settings.reload()
      await shared.changes.publish('options', keys)
    },
  })
}

function createShellHandler(core: Core, accountRecovery: AccountRecovery, options: ShellServerDeps) {
  const { config, log, shared } = core
  const shell = createKoa(log)
  shell.use(createRecoveryApi(accountRecovery))
  shell.use(
    createApi({
      ...options,
      identity: createShellIdentity(core.db),
      rates: createHttpRates({ api: 0, web: 0, critical: 0, rates: shared.rates }),
      isTrustedProxy: () => false,
      operatorRole: config.OPTION_MIN_ROLE,
      isDemo: () => false,
      log,
    }),
  )
  return shell
}
