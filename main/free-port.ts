import getPort from 'get-port'

const TRIES = 100
const LAST = 65_535

/**
 * The first free port after `taken`; one assigned by the system if the next hundred are taken; `taken` itself if no
 * port can be opened at `host`.
 */
export async function freePortAfter(taken: number, host: string): Promise<number> {
  const next = Array.from({ length: Math.min(TRIES, LAST - taken) }, (_, index) => taken + 1 + index)
  // Another port would not help if the host address does not exist.
  return getPort({ host, port: next }).catch(() => taken)
}
