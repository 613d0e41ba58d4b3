import { MAX_CATALOGUE_MEBIBYTES } from '../../../shared/api/catalogue.ts'
import { isWebLink } from '../../../shared/links.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { JsonTooLarge, readJson } from '../../base/json/json-read.ts'
import type { JsonBounds } from '../../base/json/json-scan.ts'
import type { FetchAnswer, FetchTrusted } from '../../base/network/http-client.ts'
import { parsedAddress } from '../../base/network/web-address.ts'

const TIMEOUT_MS = 20_000
/** Limits on values, distinct names and depth of a catalogue; LiteLLM's has 60,000, 4,000 and 4. */
const bounds: JsonBounds = { values: 1_000_000, names: 100_000, depth: 32 }
const MIB = 1024 * 1024

/**
 * Fetches the JSON of a catalogue, without credentials. Allows private addresses, as for channels; does not follow
 * redirects. Throws with a message for the administrator.
 */
export async function fetchCatalogue(fetchTrusted: FetchTrusted, url: string): Promise<unknown> {
  const target = targetOf(url)
  const { host } = target
  const { status, text } = await fetched(fetchTrusted, target)
  if (status !== 200) throw refuse('invalid', 'catalogue.bad_status', { host, status })
  return parsedCatalogue(Buffer.from(text))
}

async function parsedCatalogue(bytes: Buffer): Promise<unknown> {
  try {
    return (await readJson(withoutMark(bytes), bounds)).json
  } catch (cause) {
    if (cause instanceof JsonTooLarge)
      throw refuse('invalid', 'catalogue.too_long', { limit: `${MAX_CATALOGUE_MEBIBYTES} MiB` }, { cause })
    throw refuse('invalid', 'catalogue.not_json', {}, { cause })
  }
}

/** Some editors write a byte order mark. */
const withoutMark = (bytes: Buffer): Buffer => (bytes.indexOf('\ufeff') === 0 ? bytes.subarray(3) : bytes)

function targetOf(text: string): URL {
  const url = isWebLink(text) ? parsedAddress(text) : null
  if (url?.username !== '' || url.password !== '') throw refuse('invalid', 'catalogue.bad_url')
  url.hash = ''
  return url
}

async function fetched(fetchTrusted: FetchTrusted, { href, host }: URL): Promise<FetchAnswer> {
  try {
    return await fetchTrusted(href, {
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_CATALOGUE_MEBIBYTES * MIB,
      headers: { accept: 'application/json' },
    })
  } catch (cause) {
    if (cause instanceof GatewayError && cause.kind === 'invalid') throw cause
    throw refuse('invalid', 'catalogue.unreachable', { host }, { cause })
  }
}
