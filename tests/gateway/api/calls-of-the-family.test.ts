import { beforeAll, expect, it } from 'vitest'
import { aWorld, type World } from '../../support/world.ts'

/** Calls by the family's consoles and programs, spelled as they send them: with and without a trailing slash. */
const accounts = `
  GET /api/user/?p=1&page_size=10 | GET /api/user/search?keyword=&group=&p=1&page_size=10 | GET /api/user/1
  GET /api/user/self | POST /api/user/ | PUT /api/user/ | PUT /api/user/self | DELETE /api/user/self
  POST /api/user/manage | GET /api/group/ | GET /api/user/models | GET /api/user/token | GET /api/user/aff
  POST /api/user/aff_transfer | PUT /api/user/setting | POST /api/user/register?turnstile=
  POST /api/user/login?turnstile= | GET /api/verification?email=&turnstile= | GET /api/reset_password?email=&turnstile=
  POST /api/user/reset | GET /api/oauth/state | GET /api/oauth/state?aff=abcd | GET /api/oauth/github?code=&state=
  GET /api/oauth/oidc?code=&state= | GET /api/oauth/linuxdo?code=&state= | GET /api/oauth/wechat?code=
  GET /api/oauth/wechat/bind?code= | GET /api/oauth/email/bind?email=&code= | GET /api/oauth/telegram/login?id=1&hash=x
  GET /api/oauth/telegram/bind | GET /api/status | GET /api/setup | POST /api/setup | GET /api/user/logout`
const settings = `
  GET /api/option/ | PUT /api/option/ | POST /api/option/rest_model_ratio | GET /api/pricing
  GET /api/user/self/groups | GET /api/channel/models_enabled | GET /api/channel/models
  DELETE /api/log/?target_timestamp=1`
const channels = `
  GET /api/channel/1 | GET /api/channel/?p=0&page_size=10&id_sort=false&tag_mode=false
  GET /api/channel/search?keyword=&group=&model=&id_sort=false&tag_mode=false | POST /api/channel/fetch_models
  GET /api/channel/fetch_models/1 | POST /api/channel/ | PUT /api/channel/ | DELETE /api/channel/1/
  PUT /api/channel/tag | POST /api/channel/tag/enabled | POST /api/channel/tag/disabled
  GET /api/channel/test/1?model=gpt-4o | GET /api/channel/test | GET /api/channel/update_balance/1/
  GET /api/channel/update_balance | DELETE /api/channel/disabled | POST /api/channel/batch
  POST /api/channel/batch/tag | POST /api/channel/fix | GET /api/channel/test_upstream/1`
const operations = `
  POST /api/user/topup | POST /api/user/amount | POST /api/user/pay | GET /api/token/?p=0&size=100 | GET /api/token/1
  GET /api/token/search?keyword=&token= | POST /api/token/ | PUT /api/token/ | PUT /api/token/?status_only=true
  DELETE /api/token/1/ | GET /api/redemption/?p=1&page_size=10 | GET /api/redemption/1
  GET /api/redemption/search?keyword=&p=1&page_size=10 | POST /api/redemption/ | PUT /api/redemption/
  PUT /api/redemption/?status_only=true | DELETE /api/redemption/1/ | GET /api/log/?p=1&page_size=10&type=0&username=
  GET /api/log/self/?p=1&page_size=10&type=0 | GET /api/log/stat?type=0 | GET /api/log/self/stat?type=0
  GET /api/mj/?p=0&channel_id=&mj_id= | GET /api/mj/self/?p=0&mj_id= | GET /api/task/?p=0&channel_id=&task_id=
  GET /api/task/self?p=0 | POST /pg/chat/completions`
/** Calls with an unknown address or method. */
const nowhere = 'GET /api/no_such | POST /api/no_such/call | PUT /api/status | POST /pg/no_such'

const linesOf = (text: string) => text.split(/[|\n]/).flatMap((line) => line.trim() || [])

let world: World
beforeAll(async () => {
  world = await aWorld()
})

const statusOf = async (line: string) => {
  const [method = '', path = ''] = line.split(' ')
  return (await world.visitor.send(method, path, method === 'GET' ? undefined : {})).status
}

it.each([
  ['accounts', accounts],
  ['settings', settings],
  ['channels', channels],
  ['the other operations', operations],
])(
  'every call of %s is there, at the address that the family writes (docs/reference/api.md#calls)',
  async (_, calls) => {
    for (const line of linesOf(nowhere)) expect([line, await statusOf(line)]).toEqual([line, 404])
    for (const line of linesOf(calls)) expect([line, await statusOf(line)]).not.toEqual([line, 404])
  },
)
