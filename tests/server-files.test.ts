import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { type Environment, readConfig } from '../gateway/config.ts'

const folder = join(import.meta.dirname, '../resources/server')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

/** What people set themselves. */
const SECRETS = {
  POSTGRES_PASSWORD: 'secret',
  SWITCHYARD_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  PUBLIC_HOST: 'switchyard.example.com',
  DATABASE_URL: 'postgres://switchyard:secret@db.example/switchyard',
}

/** Seconds between SIGTERM and the end of a gateway. */
const stopsWithin = ({ DRAIN_DELAY_S, DRAIN_S }: ReturnType<typeof readConfig>) => DRAIN_DELAY_S + DRAIN_S + 10

/** Fails for a setting that does not exist, or has an invalid value. */
function configOf(environment: Environment) {
  const config = readConfig(environment, [])
  expect(Object.keys(environment).filter((name) => !(name in config))).toEqual([])
  return config
}

describe('compose.yaml', () => {
  const filled = textOf('compose.yaml').replace(
    /\$\{(\w+)(?::[?-][^}]*)?\}/g,
    (_, name: keyof typeof SECRETS) => SECRETS[name],
  )
  const { services, configs, volumes, networks } = parse(filled, { merge: true })
  const gateways = Object.entries<{ environment: Environment; volumes: string[]; stop_grace_period: string }>(
    services,
  ).filter(([name]) => name.startsWith('gateway-'))

  it('starts three gateways with valid settings, each with a volume that no other one has', () => {
    const mounted = gateways.map(([, gateway]) => gateway.volumes)
    expect(gateways).toHaveLength(3)
    expect(new Set(mounted.flat())).toHaveLength(3)
    for (const [volume] of mounted) expect(volumes).toHaveProperty(volume?.split(':')[0] ?? '')
    for (const [, { environment, stop_grace_period: grace }] of gateways)
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(stopsWithin(configOf(environment)))
  })

  it('has a proxy that all gateways trust, and that checks whether each is ready', () => {
    const [{ subnet }] = networks.default.ipam.config
    for (const [name, { environment }] of gateways) {
      expect(environment.TRUSTED_PROXIES).toBe(subnet)
      expect(configs.proxy.content).toContain(`${name}:6411`)
    }
    expect(configs.proxy.content).toContain('health_uri /readyz')
  })
})

describe.each([
  ['kubernetes-journal.yaml', 'StatefulSet', 'journal'],
  ['kubernetes-commit.yaml', 'Deployment', 'commit'],
])('%s', (name, kind, settle) => {
  const documents = parseAllDocuments(textOf(name)).map((document) => document.toJS())
  const { spec } = documents.find((document) => document.kind === kind)
  const [container] = spec.template.spec.containers
  const given = Object.fromEntries(container.env.map((one: { name: string; value: string }) => [one.name, one.value]))
  const { DATABASE_URL, SWITCHYARD_MASTER_KEY } = SECRETS
  const config = configOf({ ...given, DATABASE_URL, SWITCHYARD_MASTER_KEY })

  it('has valid settings, and time to stop', () => {
    expect(config.SETTLE).toBe(settle)
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(stopsWithin(config))
  })

  it('charges before a response ends: in a journal on a disk that outlives the pod, or in the database', () => {
    const claims = spec.volumeClaimTemplates?.map((claim: { metadata: { name: string } }) => claim.metadata.name)
    const [{ name: mounted, mountPath }] = container.volumeMounts
    expect(mountPath).toBe('/data')
    if (settle === 'journal') expect(claims).toContain(mounted)
    else expect([claims, config.NODE_LOST_AFTER > 0]).toEqual([undefined, true])
  })

  it('is probed at the paths that exist', () => {
    expect(container.readinessProbe.httpGet.path).toBe('/readyz')
    expect(container.livenessProbe.httpGet.path).toBe('/healthz')
  })
})
