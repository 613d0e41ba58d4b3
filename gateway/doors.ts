import { join } from 'node:path'
import { TURNSTILE_VERIFY_URL } from './accounts/human-check.ts'
import { createShellIdentity } from './accounts/shell-identity.ts'
import { createAreas } from './api/areas.ts'
import { createDocs } from './api/docs.ts'
import { createFront } from './api/front.ts'
import { createKoa } from './api/koa.ts'
import { createHostGuard } from './api/middleware/host.ts'
import { createPayment } from './api/payment.ts'
import { createPlayground } from './api/playground.ts'
import { createApi } from './api/server.ts'
import { createConsole } from './api/static.ts'
import type { Domains, Ground, Surroundings } from './app.ts'
import { installation, version, viewerFolder } from './installation.ts'
import { createBodyPace } from './limits/body-pace.ts'
import { ranges } from './limits/client-address.ts'
import { createHttpRates } from './limits/http-rate.ts'

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
  const rates = createHttpRates({
    api: config.GLOBAL_API_RATE_LIMIT,
    web: config.GLOBAL_WEB_RATE_LIMIT,
    critical: config.CRITICAL_RATE_LIMIT,
    rates: ground.shared.rates,
  })
  const serverAddress = () => settings.serverAddress()
  const hosts = createHostGuard({
    bound: () => address.bound,
    serverAddress: () => settings.get('ServerAddress'),
    callbackAddress: () => settings.get('CustomCallbackAddress'),
    allowed: config.ALLOWED_HOSTS,
    clock,
  })
  settings.onChange(['ServerAddress', 'CustomCallbackAddress'], () => hosts.refresh())
  const playground = createPlayground({ identity: access.identity, identities, serverAddress })
  const { sessions, identity } = access
  const areas = createAreas({ ...ground, ...domains, version, hosts, onSetUp, verifyUrl })
  const folder = consoleFolder ?? join(installation, 'out', 'renderer')
  const app = createKoa(log)
  app.use(createDocs({ version, viewerFolder, rates, isTrustedProxy }))
  app.use(createPayment({ wallet: domains.wallet, settings, rates, isTrustedProxy, log }))
  app.use(
    createApi({
      areas,
      identity,
      sessions,
      devices: relay.devices,
      rates,
      isTrustedProxy,
      serverAddress,
      operatorRole: config.OPTION_MIN_ROLE,
      isDemo: () => settings.get('DemoSiteEnabled'),
      log,
      checkAnswers,
    }),
  )
  app.use(createConsole({ folder, settings, rates, isTrustedProxy }))
  const shell = createKoa(log)
  shell.use(
    createApi({
      areas,
      identity: createShellIdentity(ground.db),
      sessions,
      rates: createHttpRates({ api: 0, web: 0, critical: 0, rates: ground.shared.rates }),
      isTrustedProxy: () => false,
      serverAddress,
      operatorRole: config.OPTION_MIN_ROLE,
      isDemo: () => false,
      log,
      checkAnswers,
    }),
  )
  const pace = createBodyPace({ clock })
  const front = createFront({ app, hosts, routes: relay.routes, playground, rates, isTrustedProxy, pace, clock, log })
  const sockets = { all: config.MAX_SOCKETS, perAddress: config.MAX_SOCKETS_PER_ADDRESS, isExempt: isTrustedProxy }
  return { ...front, sockets, hosts, pace, shell: shell.callback() }
}
