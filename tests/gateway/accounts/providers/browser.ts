import { aClient, type Client, type Reply } from '../../../support/client.ts'

/** A browser: it stores cookies, and sends the id of the account it is logged in to. */
export function aBrowser(url: string) {
  const cookies = new Map<string, string>()
  let userId: number | undefined
  const headers = (): Record<string, string> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { cookie, 'new-api-user': String(userId ?? -1) }
  }
  const client = (): Client => aClient(url, headers())
  const keep = (reply: Reply): Reply => {
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }
  return {
    /** The headers that it sends, for an attacker who has stolen them. */
    headers,
    get: async (path: string) => keep(await client().get(path)),
    post: async (path: string, body: object) => keep(await client().post(path, body)),
    put: async (path: string, body: object) => keep(await client().put(path, body)),
    delete: async (path: string) => keep(await client().delete(path)),
    /** Makes it send this account's id. */
    is(id: number | undefined) {
      userId = id
    },
    async logIn(username: string, password: string) {
      const reply = keep(await client().post('/api/user/login', { username, password }))
      if (!reply.success) throw new Error(reply.message)
      userId = reply.data.id
    },
  }
}

export type Browser = ReturnType<typeof aBrowser>
