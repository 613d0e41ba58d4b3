import 'reflect-metadata'
import { createHash, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import type { Clock } from '../base/clock.ts'
import { randomHex } from '../base/ids.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { kindOf, localNetworks } from './interfaces.ts'
import type { ShareFile } from './share-file.ts'

export type Authority = Readonly<{ name: string; pem: string; fingerprint: string; notAfter: number }>

/** The certificate of a shared address; times are unix seconds. */
export type Certificate = Readonly<{ names: readonly string[]; notAfter: number; pem: string; key: string }>

export interface Certificates {
  readonly authority: Authority
  /**
   * Returns a certificate for these names and addresses (without public ones, if the CA is not valid for them): the
   * last certificate if it is still valid for all, else a new one.
   */
  for(names: readonly string[]): Promise<Certificate>
}

type CertificatesDeps = Readonly<{
  file: Pick<ShareFile, 'ca' | 'keep'>
  vault: Pick<Vault, 'seal' | 'open'>
  clock: Clock
}>

const DAY_MS = 86_400_000
/** Clients whose clock is slow by up to this much accept a new certificate. */
const EARLIER_MS = 3_600_000
const AUTHORITY_MS = 3650 * DAY_MS
/** Validity of an issued certificate: the limit for public CAs, although Apple's systems allow private CAs longer. */
const CERTIFICATE_MS = 397 * DAY_MS
const RENEWED_BEFORE_MS = 30 * DAY_MS
const KEY_CONTEXT = 'share|ca|key'
const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { ...KEY, hash: 'SHA-256' } as const

/**
 * A CA for this installation (docs/reference/share.md#encryption): ECDSA P-256, its key encrypted, valid for ten years;
 * and certificates for at most 397 days. This module is loaded on first use. Throws if the stored key cannot be
 * decrypted.
 */
export async function openCertificates({ file, vault, clock }: CertificatesDeps): Promise<Certificates> {
  cryptoProvider.set(webcrypto)
  const stored = file.ca()
  const isGood =
    stored !== undefined && notAfterOf(new X509Certificate(stored.certificate)) * 1000 > clock.now() + CERTIFICATE_MS
  const ca = isGood ? await opened(stored, vault) : await made({ file, vault, clock })
  const speaksFor = isBoundToNetworks(ca.certificate) ? isLocal : () => true
  let last: Certificate | undefined
  return {
    authority: authorityOf(ca.certificate),
    async for(requested) {
      const names = requested.filter(speaksFor)
      const isStillGood = last !== undefined && last.notAfter * 1000 - clock.now() > RENEWED_BEFORE_MS
      if (last && isStillGood && names.every((name) => last?.names.includes(name))) return last
      last = await issued(ca, names, clock)
      return last
    },
  }
}

/** Public view of a stored CA, without its private key. */
export const authorityIn = (pem: string): Authority => authorityOf(new X509Certificate(pem))

type Ca = Readonly<{ certificate: X509Certificate; key: webcrypto.CryptoKey }>

async function opened(
  stored: Readonly<{ certificate: string; key: string }>,
  vault: CertificatesDeps['vault'],
): Promise<Ca> {
  const bytes = Buffer.from(vault.open(stored.key, KEY_CONTEXT), 'base64')
  const key = await webcrypto.subtle.importKey('pkcs8', bytes, KEY, false, ['sign'])
  return { certificate: new X509Certificate(stored.certificate), key: key }
}

async function made({ file, vault, clock }: CertificatesDeps): Promise<Ca> {
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: `CN=Switchyard local CA ${randomHex(6)}, O=Switchyard`,
    ...lasting(clock, AUTHORITY_MS),
    signingAlgorithm: SIGNING,
    keys: keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      localNamesOnly(),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  file.keep({ ca: { certificate: pemOf(certificate), key: vault.seal(bytes.toString('base64'), KEY_CONTEXT) } })
  return { certificate, key: keys.privateKey }
}

async function issued({ certificate: issuer, key }: Ca, names: readonly string[], clock: Clock): Promise<Certificate> {
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=Switchyard, O=Switchyard',
    issuer: issuer.subject,
    ...lasting(clock, CERTIFICATE_MS),
    signingAlgorithm: SIGNING,
    publicKey: keys.publicKey,
    signingKey: key,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) === 0 ? ('dns' as const) : ('ip' as const), value: name })),
      ),
      await AuthorityKeyIdentifierExtension.create(issuer),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const pem = `${pemOf(certificate)}${pemOf(issuer)}`
  const lines = bytes.match(/.{1,64}/g)?.join('\n') ?? ''
  const keyPem = `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`
  return { names, notAfter: notAfterOf(certificate), pem, key: keyPem }
}

/**
 * Restricts the CA to names below `.local` and addresses of local networks (RFC 5280 §4.2.1.10): a stolen key cannot
 * issue certificates for public sites.
 */
function localNamesOnly(): Extension {
  const bases = [{ dNSName: 'local' }, ...localNetworks.map((iPAddress) => ({ iPAddress }))]
  const subtrees = bases.map((base) => new GeneralSubtree({ base: new GeneralName(base) }))
  const constraints = new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) })
  return new Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints))
}

/** Whether a CA is restricted to local addresses; CAs of earlier versions are not, and expire eventually. */
function isBoundToNetworks(certificate: X509Certificate): boolean {
  const value = certificate.getExtension(id_ce_nameConstraints)?.value
  const permitted = value && AsnConvert.parse(value, NameConstraints).permittedSubtrees
  return permitted?.some(({ base }) => base.iPAddress !== undefined) ?? false
}

const isLocal = (name: string): boolean => isIP(name) === 0 || kindOf(name) !== 'public'

/** The validity period of a certificate, which starts shortly before now. */
function lasting(clock: Clock, ms: number): { notBefore: Date; notAfter: Date } {
  const start = clock.now() - EARLIER_MS
  return { notBefore: new Date(start), notAfter: new Date(start + ms - 1000) }
}

/** 120 random bits after a fixed first byte, which keeps the number positive. */
const serial = (): string => `40${randomHex(30)}`

const notAfterOf = ({ notAfter }: X509Certificate): number => Math.floor(notAfter.getTime() / 1000)

const pemOf = (certificate: X509Certificate): string => `${certificate.toString('pem').trim()}\n`

function authorityOf(certificate: X509Certificate): Authority {
  const digest = createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex').toUpperCase()
  return {
    name: certificate.subjectName.getField('CN')[0] ?? '',
    pem: pemOf(certificate),
    fingerprint: digest.match(/../g)?.join(':') ?? '',
    notAfter: notAfterOf(certificate),
  }
}
