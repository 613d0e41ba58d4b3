/**
 * Whether a web address is one that nobody on the internet can reach: this machine, a network of its own, or a name without a
 * domain. A name may still lead to such a place; that only its owner knows.
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
