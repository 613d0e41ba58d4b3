import { X509Certificate } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Logger } from '../log/logger.ts'

/**
 * Makes all connections of this process trust the system's certificates in addition to Node's: companies that inspect
 * TLS traffic install their own certificate there. `more` adds certificates as PEM. If the store cannot be read,
 * nothing changes.
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

/** Skips certificates that cannot be parsed. */
const certificatesIn = (pem: string): string[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).filter(isCertificate)

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
