import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { formatMessage } from '../../shared/messages/format.ts'
import type { Ranges } from '../limits/client-address.ts'
import type { HttpRates } from '../limits/http-rate.ts'
import type { Settings } from '../settings/settings.ts'
import { HUMAN_CHECK_PAGE, humanCheckHeaders, pageHeaders, partHeaders } from './middleware/content-security.ts'
import { localeOf } from './middleware/envelope.ts'
import { answerNotFound } from './middleware/not-found.ts'
import { originOf } from './middleware/origin.ts'

type ConsoleDeps = Readonly<{
  /** The folder of the built console; it may be missing. */
  folder: string
  settings: Pick<Settings, 'get' | 'derive'>
  rates: Pick<HttpRates, 'web'>
  isTrustedProxy: Ranges
}>

/** A file served from memory, compressed once for each encoding. */
export type ServedFile = Readonly<{
  /** A file that the build has compressed is decompressed once a caller accepts no encoding. */
  body: Buffer | (() => Promise<Buffer>)
  type: string
  tag: string
  squeezed: Map<string, Promise<Buffer>>
}>

const NOT_BUILT = 'The console has not been built. Run: npm run build\n'
/** Paths of the API and of files: an unknown path among them never gets the console's page. */
const NOT_PAGES = /^\/(api|v1[^/]*|pg|mj|suno|assets|dashboard)(\/|$)/
const PARTS = /^\/assets\/[^/]+\.(js|css)$/
const SMALL = 1024
/** For files that the build has not compressed; fast. */
const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 6 }),
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/**
 * Serves the built console: paths are looked up in a list created at the start, so nothing outside the folder can be
 * named. Files in `/assets/` never change under their name; every other page path gets the console's single page
 * (docs/reference/api.md#paths-and-queries).
 */
export function createConsole({ folder, settings, rates, isTrustedProxy }: ConsoleDeps): Middleware {
  const files = manifestOf(folder)
  const page = files.get('/index.html')
  const headers = pageHeaders(settings)
  return async (ctx) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    const file = isRead ? files.get(ctx.path) : undefined
    if (!isRead || (!file && NOT_PAGES.test(ctx.path))) return answerNotFound(ctx)
    ctx.set(file ? headersOf(ctx.path, headers) : headers())
    // Request ids of scripts are not needed in the log, and would delay each of thirty files on a slow connection.
    if (file && PARTS.test(ctx.path)) for (const id of ['x-request-id', 'x-oneapi-request-id']) ctx.remove(id)
    // A page loads about thirty parts, which are served from memory and cached by the browser.
    const wait = file && PARTS.test(ctx.path) ? 0 : await rates.web(originOf(ctx, isTrustedProxy))
    if (wait > 0) return answerLimited(ctx, wait)
    if (!page) return answerText(ctx, 503, NOT_BUILT)
    if ((file ?? page) === page && isBelowPath(ctx))
      return answerText(ctx, 404, `${formatMessage(localeOf(ctx), 'relay.below_path')}\n`)
    await send(ctx, file ?? page, ctx.path.startsWith('/assets/'))
  }
}

/**
 * Whether a proxy has stripped a path prefix, in which case the page's files would not load
 * (docs/operations.md#behind-a-reverse-proxy).
 */
const isBelowPath = (ctx: Context): boolean => /[^/\s]/.test(ctx.get('x-forwarded-prefix'))

function headersOf(path: string, pages: () => Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (path === HUMAN_CHECK_PAGE) return humanCheckHeaders
  return PARTS.test(path) ? partHeaders : pages()
}

/**
 * Sends a file, or 304 if the caller has it, compressed if supported; a file with `isLasting` never changes under its
 * name.
 */
export async function send(ctx: Context, file: ServedFile, isLasting: boolean): Promise<void> {
  ctx.set('Cache-Control', isLasting ? 'public, max-age=604800, immutable' : 'no-cache')
  ctx.vary('Accept-Encoding')
  ctx.status = 200
  ctx.etag = file.tag
  ctx.type = file.type
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  // Browsers list gzip first, but accept Brotli, which is smaller, just as well.
  const encoding = (ctx.acceptsEncodings('br') || ctx.acceptsEncodings('gzip')) as Encoding | false // it returns its argument
  const squeezed = encoding && squeezedFor(file, encoding)
  if (encoding && squeezed) {
    const body = await squeezed
    ctx.set('Content-Encoding', encoding)
    ctx.body = body
  } else ctx.body = typeof file.body === 'function' ? await file.body() : file.body
}

type Encoding = keyof typeof compressors

/** The compressed file; undefined if it is not worth compressing. */
function squeezedFor({ body, type, squeezed }: ServedFile, encoding: Encoding): Promise<Buffer> | undefined {
  const known = squeezed.get(encoding)
  if (known || typeof body === 'function' || body.length < SMALL || !/^text|json|svg/.test(type)) return known
  const made = compressors[encoding](body)
  squeezed.set(encoding, made)
  return made
}

/** `name` decides the type by its extension. */
export function servedFile(name: string, body: Buffer): ServedFile {
  return { body, type: typeOf(name), tag: tagOf(body), squeezed: new Map() }
}

const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream'
const tagOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 22)

function manifestOf(folder: string): ReadonlyMap<string, ServedFile> {
  if (!existsSync(folder)) return new Map()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = new Set(entries.map((entry) => join(entry.parentPath, entry.name)))
  const files = new Map<string, ServedFile>()
  for (const path of paths) {
    if (isCompressed(path, paths)) continue
    const file = paths.has(`${path}.gz`) ? compressedFile(path) : servedFile(path, readFileSync(path))
    files.set(`/${relative(folder, path).split(sep).join('/')}`, file)
  }
  return files
}

/** Whether a file is the compressed form of another, under whose name it is served. */
const isCompressed = (path: string, paths: ReadonlySet<string>): boolean =>
  /\.(br|gz)$/.test(path) && paths.has(path.slice(0, -3))

/** A file of which only the forms that the build has compressed are in memory (scripts/build/compressed.ts). */
function compressedFile(path: string): ServedFile {
  const [br, gz] = [readFileSync(`${path}.br`), readFileSync(`${path}.gz`)]
  const squeezed = new Map([
    ['br', Promise.resolve(br)],
    ['gzip', Promise.resolve(gz)],
  ])
  let plain: Promise<Buffer> | undefined
  const body = () => (plain ??= promisify(gunzip)(gz))
  return { body, type: typeOf(path), tag: tagOf(gz), squeezed }
}

/** Refuses a page because too many were requested; the caller may retry after `seconds`. */
export const answerLimited = (ctx: Context, seconds: number): void =>
  answerText(ctx, 429, `${formatMessage(localeOf(ctx), 'http.429')}\n`, { 'Retry-After': String(seconds) })

export function answerText(ctx: Context, status: number, text: string, headers: Record<string, string> = {}): void {
  ctx.status = status
  ctx.set({ 'Cache-Control': 'no-store', ...headers })
  ctx.body = text
}
