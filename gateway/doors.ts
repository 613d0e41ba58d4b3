import { join } from 'node:path'
import { TURNSTILE_VERIFY_URL } from './accounts/human-check.ts'
import { createShellIdentity } from './accounts/shell-identity.ts'
import type { WayBack } from './accounts/ways-back.ts'
import { createAreas } from './api/areas.ts'
import { createDocs } from './api/docs.ts'
import { createFront, type Front } from './api/front.ts'
import { createKoa } from './api/koa.ts'
import { createHostGuard, type HostGuard } from './api/middleware/host.ts'
import { createPayment } from './api/payment.ts'
import { createPlayground } from './api/playground.ts'
import { type ApiDeps, createApi } from './api/server.ts'
import { createConsole } from './api/static.ts'
import { createWayBack, createWaysBack } from './api/ways-back.ts'
import type { Domains, Ground, Surroundings } from './app.ts'
import { installation, version, viewerFolder } from './installation.ts'
import { createBodyPace } from './limits/body-pace.ts'
import { ranges } from './limits/client-address.ts'
import { createHttpRates } from './limits/http-rate.ts'
import { createSharing } from './share/sharing.ts'
import { createSharedDoors, sharedGuard, sharedHosts } from './shared-door.ts'

/**
 * How the world comes in: the relay first, then the console's API, then its files; and how a shell does, to whom that API
 * answers as to root.
 */
export function openDoors(
  ground: Ground,
  domains: Domains,
  surroundings: Surroundings & Readonly<{ onSetUp: () => void }>,
) {
  const { consoleFolder, checkAnswers = false, onSetUp, verifyUrl = TURNSTILE_VERIFY_URL } = surroundings
  const { config, clock, log, settings, address } = ground
  const { access, relay, identities } = domains
  const isTrustedProxy = config.TRUSTED_PROXIES.length > 0 ? ranges(config.TRUSTED_PROXIES) : () => false
  const limits = limitsOf(ground)
  const rates = createHttpRates(limits)
  const serverAddress = () => settings.serverAddress()
  const hosts = hostsOf(ground)
  const playground = createPlayground({ identity: access.identity, identities, serverAddress, isTrustedProxy })
  const { sessions, identity, recentLogin } = access
  const sockets = { all: config.MAX_SOCKETS, perAddress: config.MAX_SOCKETS_PER_ADDRESS, isExempt: isTrustedProxy }
  const doors: { shared?: Front } = {}
  const sharing = createSharing({
    ...ground,
    passwords: domains.passwords,
    setup: access.setup,
    ownPort: () => address.bound?.port,
    machine: surroundings.machine,
    makeDoor: createSharedDoors({
      sockets,
      log,
      front() {
        const { sharedApiLimit: api = limits.api } = surroundings
        const { mayRegister } = sharing
        const shared = { rates: createHttpRates({ ...limits, api }), guard: sharedGuard, mayRegister }
        doors.shared ??= frontOf(sharedHosts(sharing, hosts), shared)
        return doors.shared
      },
    }),
  })
  address.forOthers = sharing.urls
  const wouldKnow: HostGuard['wouldKnow'] = (host, name) => hosts.wouldKnow(host, name) || sharing.isKnown(host)
  const own = { version, hosts: { wouldKnow }, onSetUp, verifyUrl, sharing }
  const areas = createAreas({ ...ground, ...domains, ...own })
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
  const frontOf = (known: Pick<HostGuard, 'isKnown'>, at: Pick<ApiDeps, 'rates' | 'guard' | 'mayRegister'>): Front => {
    const limited = { rates: at.rates, isTrustedProxy }
    const app = createKoa(log)
    const isDemo = () => settings.get('DemoSiteEnabled')
    app.use(createDocs({ version, viewerFolder, ...limited }))
    app.use(createPayment({ wallet: domains.wallet, settings, ...limited, log }))
    const { devices } = relay
    app.use(createApi({ ...common, ...at, identity, devices, isTrustedProxy, isDemo }))
    app.use(createConsole({ folder, settings, ...limited }))
    return createFront({ app, hosts: known, routes: relay.routes, playground, ...limited, pace, clock, log })
  }
  const wayBack = wayBackOf(ground, domains)
  const shell = shellDoor(ground, wayBack, { areas, sessions, recentLogin, serverAddress, checkAnswers })
  return { ...frontOf(hosts, { rates }), sockets, hosts, pace, sharing, wayBack, shell: shell.callback() }
}

/** How often one address may ask. */
const limitsOf = ({ config, shared }: Ground) => ({
  api: config.GLOBAL_API_RATE_LIMIT,
  web: config.GLOBAL_WEB_RATE_LIMIT,
  critical: config.CRITICAL_RATE_LIMIT,
  rates: shared.rates,
})

/** By which names the gateway is called where it listens itself. */
function hostsOf({ config, clock, settings, address }: Ground): HostGuard {
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

type ShellSurroundings = Pick<
  Parameters<typeof createApi>[0],
  'areas' | 'sessions' | 'recentLogin' | 'serverAddress' | 'checkAnswers'
>

/** The way back for a person who is locked out: by a shell, or in the desktop program. */
function wayBackOf(ground: Ground, domains: Domains): WayBack {
  const { settings, shared } = ground
  return createWayBack({
    ...ground,
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

/** The API as a shell has it, and before it the way back. */
function shellDoor(ground: Ground, wayBack: WayBack, surroundings: ShellSurroundings) {
  const { config, log, shared } = ground
  const shell = createKoa(log)
  shell.use(createWaysBack(wayBack))
  shell.use(
    createApi({
      ...surroundings,
      identity: createShellIdentity(ground.db),
      rates: createHttpRates({ api: 0, web: 0, critical: 0, rates: shared.rates }),
      isTrustedProxy: () => false,
      operatorRole: config.OPTION_MIN_ROLE,
      isDemo: () => false,
      log,
    }),
  )
  return shell
}
