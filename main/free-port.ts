import getPort from 'get-port'

const TRIES = 100
const LAST = 65_535

/** The first port after `taken` that this account can listen on; one of the system's choice when the next hundred are taken. */
export async function freePortAfter(taken: number, host: string): Promise<number> {
  const next = Array.from({ length: Math.min(TRIES, LAST - taken) }, (_, index) => taken + 1 + index)
  // An address that this machine does not have is no fault of the port.
  return getPort({ host, port: next }).catch(() => taken)
}
