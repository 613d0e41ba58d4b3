import type { Book, Exchange } from './document.ts'

/**
 * Checks everything that tests receive from a gateway against its OpenAPI document: each JSON response of `/api`, each
 * response that the relay itself produces, and each accepted body. The document is read once per process, and only if a
 * gateway has responded.
 */
type Fixture = { faults: string[]; waiting: Promise<void>[]; book: Promise<Book> | undefined }
const shared = globalThis as typeof globalThis & { switchyardFixture?: Fixture }

/** Longer bodies are not the console's, and would take time. */
const MAX_LENGTH = 100_000

if (!shared.switchyardFixture) {
  shared.switchyardFixture = { faults: [], waiting: [], book: undefined }
  const ask = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await ask(input, init)
    const isGateways = response.headers.has('x-oneapi-request-id') && response.body !== null && init?.method !== 'HEAD'
    if (isGateways && isJson(response.headers.get('content-type')))
      shared.switchyardFixture?.waiting.push(heldFetch(response, input, init))
    return response
  }
}

/** Violations of the document since the last call. */
export async function faultsOfAnswers(): Promise<string[]> {
  const fixture = shared.switchyardFixture
  if (!fixture) return []
  await Promise.all(fixture.waiting.splice(0))
  return fixture.faults.splice(0)
}

/** Checks an exchange that did not use `fetch`. */
export function holdAnswer(exchange: Exchange): void {
  shared.switchyardFixture?.waiting.push(held(exchange))
}

async function heldFetch(response: Response, input: RequestInfo | URL, init: RequestInit | undefined): Promise<void> {
  const request = input instanceof Request ? input : undefined
  const method = init?.method ?? request?.method ?? 'GET'
  const { pathname, search } = new URL(request?.url ?? String(input))
  const { status } = response
  const copy = response.clone()
  const book = await theBook()
  if (!book.isHeld(method, pathname, status)) return void copy.body?.cancel().catch(() => {})
  // A test that breaks its connection gets no response to check.
  const text = await copy.text().catch(() => undefined)
  const sent = typeof init?.body === 'string' && init.body.length < MAX_LENGTH ? init.body : undefined
  const type = response.headers.get('content-type') ?? ''
  if (text !== undefined) note(book, { method, path: pathname + search, status, type, text, sent })
}

async function held(exchange: Exchange): Promise<void> {
  const book = await theBook()
  if (book.isHeld(exchange.method, exchange.path, exchange.status)) note(book, exchange)
}

function note(book: Book, exchange: Exchange): void {
  shared.switchyardFixture?.faults.push(...book.faultsOf(exchange))
}

async function theBook(): Promise<Book> {
  const fixture = shared.switchyardFixture
  if (!fixture) throw new Error('the fixture is set up above')
  fixture.book ??= import('./document.ts').then(({ openBook }) => openBook())
  return fixture.book
}

const isJson = (type: string | null): boolean => type?.startsWith('application/json') === true
