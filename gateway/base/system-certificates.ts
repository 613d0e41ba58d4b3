import { X509Certificate } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Logger } from './logger.ts'

/**
 * Trusts, for all connections of this process, what the system trusts beside what Node brings: companies that look into the
 * traffic of their networks put a certificate of their own there. `more` are further certificates as PEM. A store that
 * cannot be read changes nothing.
 */
export function trustSystemCertificates(log: Logger, more = ''): void {
  try {
    const known = getCACertificates('default')
    const all = new Set([...known, ...getCACertificates('system'), ...certificatesIn(more)])
    if (all.size > known.length) setDefaultCACertificates([...all])
    log.debug('certificates', { known: known.length, trusted: all.size })
  } catch (error) {
    log.warn("the system's certificates could not be read", { error })
  }
}

/** One that cannot be read does not take the others along. */
const certificatesIn = (pem: string): string[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).filter(isCertificate)

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
