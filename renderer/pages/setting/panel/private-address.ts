/**
 * Whether a web address is not reachable from the internet: this machine, a private network, or a name without a
 * domain. A domain may still resolve to such an address; that is not checked.
 */
export function isPrivateAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  if (hostname.startsWith('[')) return /^\[(?:::1?\]|f[cd]|fe[89ab]|::ffff:)/.test(hostname)
  const [first = '', second = ''] = hostname.split('.')
  if (!/^[\d.]+$/.test(hostname))
    return !hostname.includes('.') || /\.(?:local|localhost|internal|lan|home)$/.test(hostname)
  const [one, two] = [Number(first), Number(second)]
  const isOwnNetwork = one === 10 || (one === 172 && two >= 16 && two <= 31) || (one === 192 && two === 168)
  return (
    isOwnNetwork || one === 127 || one === 0 || (one === 169 && two === 254) || (one === 100 && two >= 64 && two <= 127)
  )
}
