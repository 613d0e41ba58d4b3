import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { BasicConstraintsExtension, X509Certificate, X509CertificateGenerator } from '@peculiar/x509'
import { beforeAll, describe, expect, it } from 'vitest'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { type Certificates, openCertificates } from '../../../gateway/share/certificates.ts'
import { aClock } from '../../support/clock.ts'

const vault = createVault(randomBytes(32))
const clock = aClock(Date.now())
type Kept = Readonly<{ certificate: string; key: string }>

/**
 * An authority, and an authority with the same key but no name constraints: an older one, or a
 * thief's.
 */
async function both() {
  let kept: Kept | undefined
  const file = {
    ca: () => kept,
    keep: (change: Readonly<{ ca?: Kept | undefined }>) => {
      kept = change.ca
    },
  }
  const bound = await openCertificates({ file, vault, clock })
  if (!kept) throw new Error('nothing was kept')
  const certificate = await unboundOf(kept)
  const unbound = await openCertificates({
    file: { ca: () => ({ key: kept?.key ?? '', certificate }), keep() {} },
    vault,
    clock,
  })
  return { bound, unbound }
}

async function unboundOf({ key, certificate }: Kept): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const secret = Buffer.from(vault.open(key, 'share|ca|key'), 'base64')
  const privateKey = await crypto.subtle.importKey('pkcs8', secret, algorithm, true, ['sign'])
  const real = new X509Certificate(certificate)
  const made = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '40',
    name: real.subject,
    notBefore: real.notBefore,
    notAfter: real.notAfter,
    signingAlgorithm: algorithm,
    keys: { privateKey, publicKey: await real.publicKey.export() },
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  })
  return made.toString('pem')
}

/**
 * The error of a device that trusts the authority when it connects to a server whose certificate has this name and is
 * signed by `signer`; null if it accepts.
 */
async function refusalOf(name: string, signer: Certificates, trusted: string): Promise<string | null> {
  const { key, pem } = await signer.for([name])
  const [leaf = ''] = pem.split(/(?<=-----END CERTIFICATE-----\n)/)
  const server = createServer({ key, cert: leaf }, (socket) => socket.end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const visit = connect({ port, host: '127.0.0.1', ca: trusted, checkServerIdentity: () => undefined })
  const error = await once(visit, 'secureConnect').then(
    () => null,
    (cause: Error) => cause.message,
  )
  visit.destroy()
  server.close()
  return error
}

describe('the authority of an installation (docs/reference/share.md#encryption)', () => {
  let bound: Certificates
  let unbound: Certificates
  beforeAll(async () => {
    ;({ bound, unbound } = await both())
  })

  it.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111', 'bank.example'])(
    'is not valid for %s: a thief of its key gets no certificate for that',
    async (name) => {
      expect(await refusalOf(name, unbound, bound.authority.pem)).toMatch(/permitted subtree violation/)
    },
  )

  it.each([
    '10.1.2.3',
    '172.31.0.1',
    '192.168.7.7',
    '169.254.9.9',
    '100.100.1.1',
    '127.0.0.9',
    'fd00::5',
    'fe80::5',
    '::1',
    'switchyard.local',
  ])('speaks for %s', async (name) => {
    expect(await refusalOf(name, bound, bound.authority.pem)).toBeNull()
  })

  it('includes no public address with the local ones, which would make the whole certificate invalid', async () => {
    const { names } = await bound.for(['1.1.1.1', '2606:4700::1111', '10.0.0.7', 'switchyard.local'])
    expect(names).toEqual(['10.0.0.7', 'switchyard.local'])
  })

  it('continues for every address where an earlier version made it, since devices trust it', async () => {
    expect((await unbound.for(['1.1.1.1', '10.0.0.7'])).names).toEqual(['1.1.1.1', '10.0.0.7'])
  })
})
