/** An envelope of the console's API as received, with the fields next to `data`. */
export type Reply = Readonly<{
  status: number
  headers: Headers
  success: boolean
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: each call answers something else, and a test says what it expects
  data: any
  /** The whole body, for fields next to `data`. */
  // biome-ignore lint/suspicious/noExplicitAny: as for data
  body: any
}>

/** A client of the console's HTTP API, for one user. */
export type Client = Readonly<{
  send(method: string, path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  put(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
  /** The headers that identify the user. */
  identity(): Record<string, string>
}>

const NOBODY = { 'new-api-user': '-1' }

/** A client that sends the headers of `identity` with every call, by default without an account. English texts. */
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

/** The path of the first setup, with the code from the gateway's setup link. */
export const setupPath = (link: string | null): string => `/api/setup${link === null ? '' : new URL(link).search}`

/** Logs in over the API; throws the gateway's message when it refuses. */
export async function signedIn(url: string, username: string, password: string): Promise<Client & { id: number }> {
  const { success, message, data, headers } = await aClient(url).post('/api/user/login', { username, password })
  if (!success) throw new Error(`${username} cannot sign in: ${message}`)
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { id: data.id, ...aClient(url, { cookie, 'new-api-user': String(data.id) }) }
}

/** The data of a reply; throws unless it is a success. */
export function dataOf(reply: Reply) {
  if (!reply.success) throw new Error(`refused with ${reply.status}: ${reply.message}`)
  return reply.data
}

function envelopeIn(text: string): Pick<Reply, 'success' | 'message' | 'data' | 'body'> {
  const body = text.startsWith('{') ? JSON.parse(text) : { success: false, message: text }
  return { success: body.success === true, message: body.message ?? '', data: body.data, body }
}
