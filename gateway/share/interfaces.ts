import { networkInterfaces } from 'node:os'
import { isEverywhere, urlAt } from '../base/network/own-urls.ts'
import { isLoopback, normalAddress, ranges } from '../limits/client-address.ts'

export type OwnAddress = Readonly<{
  name: string
  address: string
  /** As a CIDR range. */
  network: string
  kind: 'private' | 'public' | 'link_local' | 'loopback'
}>

export type LookForAddresses = () => readonly OwnAddress[]

/**
 * The addresses by which others may reach this machine: all routable ones, IPv4 link-local ones only if there are no
 * others, never loopback.
 */
export function sharedAddresses(all: readonly OwnAddress[]): readonly OwnAddress[] {
  const near = all.filter(({ kind }) => kind !== 'loopback')
  const far = near.filter(({ kind }) => kind !== 'link_local')
  return far.length > 0 ? far : near.filter(({ address }) => !address.includes(':'))
}

/**
 * URLs for other devices of a listener beyond loopback: on each address of this machine, if it listens on every
 * interface.
 */
export function urlsOf(host: string, port: number, machine: readonly OwnAddress[]): readonly string[] {
  const hosts = isEverywhere(host) ? sharedAddresses(machine).map(({ address }) => address) : [host]
  return hosts
    .filter((address) => host !== '0.0.0.0' || !address.includes(':'))
    .toSorted(byFamily)
    .map((address) => urlAt(address, port))
}

/** IPv4 first, which is easier to type; otherwise the order is unchanged. */
export const byFamily = (one: string, other: string): number => Number(one.includes(':')) - Number(other.includes(':'))

/** From the system's interfaces; excludes loopback. */
export const machineAddresses: LookForAddresses = () =>
  Object.entries(networkInterfaces()).flatMap(([name, entries]) =>
    (entries ?? []).flatMap(({ address, cidr }) => {
      const normal = normalAddress(address)
      return normal === '' || isLoopback(normal)
        ? []
        : [{ name, address: normal, network: cidr ?? normal, kind: kindOf(normal) }]
    }),
  )

export function kindOf(address: string): OwnAddress['kind'] {
  if (isLoopback(address)) return 'loopback'
  if (isLinkLocal(address)) return 'link_local'
  return isPrivate(address) ? 'private' : 'public'
}

const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10']
/** Networks of RFC 1918, of carriers (RFC 6598) and unique local ones (RFC 4193). */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']
const isLinkLocal = ranges(LINK_LOCAL)
const isPrivate = ranges(PRIVATE)

/** Every network whose addresses are not `public`. */
export const localNetworks: readonly string[] = ['127.0.0.0/8', '::1/128', ...LINK_LOCAL, ...PRIVATE]
