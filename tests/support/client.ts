/** An envelope of the console's API as it arrived, with what stands beside `data`. */
export type Reply = Readonly<{
  status: number
  headers: Headers
  success: boolean
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: each call answers something else, and a test says what it expects
  data: any
  /** The whole body: fields beside `data` are read here. */
  // biome-ignore lint/suspicious/noExplicitAny: as for data
  body: any
}>

/** What the console does over HTTP, for one person. */
export type Client = Readonly<{
  /** Any call by its method. */
  send(method: string, path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  put(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
  /** The headers that say who this is. */
  identity(): Record<string, string>
}>

const NOBODY = { 'new-api-user': '-1' }

/** A client without an account, as the console says it; `identity` is sent with every call. English texts. */
export function aClient(url: string, identity: Record<string, string> = NOBODY): Client {
  const send = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const headers: Record<string, string> = { 'accept-language': 'en', ...identity }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body), redirect: 'manual' })
    const answer = envelopeIn(await response.text())
    return { status: response.status, headers: response.headers, ...answer }
  }
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
    identity: () => identity,
  }
}

/** Where the first setup is sent to by who has the gateway's setup link. */
export const setupPath = (link: string | null): string => `/api/setup${link === null ? '' : new URL(link).search}`

/** Signs in over the API; throws what the gateway says when it refuses. */
export async function signedIn(url: string, username: string, password: string): Promise<Client & { id: number }> {
  const { success, message, data, headers } = await aClient(url).post('/api/user/login', { username, password })
  if (!success) throw new Error(`${username} cannot sign in: ${message}`)
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { id: data.id, ...aClient(url, { cookie, 'new-api-user': String(data.id) }) }
}

/** The data of a reply that must be a success. */
export function dataOf(reply: Reply) {
  if (!reply.success) throw new Error(`refused with ${reply.status}: ${reply.message}`)
  return reply.data
}

function envelopeIn(text: string): Pick<Reply, 'success' | 'message' | 'data' | 'body'> {
  const body = text.startsWith('{') ? JSON.parse(text) : { success: false, message: text }
  return { success: body.success === true, message: body.message ?? '', data: body.data, body }
}
