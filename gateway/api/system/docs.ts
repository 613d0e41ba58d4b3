import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Middleware } from 'koa'
import type { Ranges } from '../../limits/client-address.ts'
import type { HttpRates } from '../../limits/http-rate.ts'
import { originOf } from '../middleware/origin.ts'
import { createDocument, DOCUMENT_PATH, VIEWER_PATH } from '../openapi/document.ts'
import { answerLimited, type ServedFile, send, servedFile } from '../static.ts'
import { page, script, style } from './viewer-page.ts'

type DocsDeps = Readonly<{
  version: string
  /** The folder of the viewer's files, either as in the package swagger-ui-dist or compressed as `.br`. */
  viewerFolder: string
  rates: Pick<HttpRates, 'web'>
  isTrustedProxy: Ranges
}>

/**
 * The OpenAPI document and its viewer. Both are public, like the status: they contain nothing but what the program's
 * source has, and integrators may have no account. They are rate limited like pages, and other sites may link here.
 * Everything is built at the first request and cached.
 */
export function createDocs(deps: DocsDeps): Middleware {
  const files = new Map<string, ServedFile>()
  const fileAt = (path: string, make: () => Buffer): ServedFile => {
    const file = files.get(path) ?? servedFile(path === VIEWER_PATH ? 'index.html' : path, make())
    files.set(path, file)
    return file
  }
  const made = makers(deps)
  return async (ctx, next) => {
    const path = ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : ctx.path
    const make = Object.hasOwn(made, path) ? made[path] : undefined
    if (!make || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    ctx.set(headers)
    const wait = await deps.rates.web(originOf(ctx, deps.isTrustedProxy))
    if (wait > 0) return answerLimited(ctx, wait)
    await send(ctx, fileAt(path, make), false)
  }
}

/** The content of each path. The viewer is never in the console's bundle. */
function makers({ version, viewerFolder }: DocsDeps): Readonly<Record<string, () => Buffer>> {
  const own = (text: string) => () => Buffer.from(text)
  const packaged = (name: string) => () => fileOrSqueezed(join(viewerFolder, name))
  return {
    [DOCUMENT_PATH]: () => Buffer.from(JSON.stringify(createDocument(version))),
    [VIEWER_PATH]: own(page),
    [`${VIEWER_PATH}/start.js`]: own(script),
    [`${VIEWER_PATH}/page.css`]: own(style),
    [`${VIEWER_PATH}/swagger-ui.css`]: packaged('swagger-ui.css'),
    [`${VIEWER_PATH}/swagger-ui-bundle.js`]: packaged('swagger-ui-bundle.js'),
  }
}

function fileOrSqueezed(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : brotliDecompressSync(readFileSync(`${path}.br`))
}

/** Scripts are files of this origin; the viewer uses data URLs for images, and inline styles. */
const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
