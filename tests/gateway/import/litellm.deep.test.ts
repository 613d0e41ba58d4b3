import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../support/world.ts'
import { countsIn, importing } from './importing.ts'

const config = (url: string) => `
environment_variables:
  GROQ_API_KEY: groq-key
model_list:
  - model_name: gpt-4o            # an account at a vendor of OpenAI's format
    litellm_params: &account
      model: openai/gpt-4o
      api_base: ${url}/v1
      api_key: sk-own
      rpm: 60
    model_info: { input_cost_per_token: 0.000005, output_cost_per_token: 3.0e-05 }
  - model_name: small
    litellm_params:
      <<: *account
      model: openai/gpt-4o-mini
      temperature: 0.2
  - model_name: gpt-4o
    litellm_params: { model: azure/my-deployment, api_base: https://x.openai.azure.com, api_key: os.environ/AZURE_KEY, api_version: "2024-06-01" }
  - model_name: llama
    litellm_params: { model: groq/llama-3, api_key: os.environ/GROQ_API_KEY }
  - model_name: claude
    litellm_params: { model: bedrock/converse/anthropic.claude-x, aws_access_key_id: AK, aws_secret_access_key: SK, aws_region_name: eu-west-1 }
  - model_name: haiku
    litellm_params: { model: claude-haiku, api_key: sk-ant }
  - model_name: haiku             # the same account again, for another model of it
    litellm_params: { model: claude-haiku-next, api_key: sk-ant, order: 1.0e+300 }
  - model_name: "openai/*"
    litellm_params: { model: "openai/*" }
  - model_name: strange
    litellm_params: { model: sagemaker/mine }
litellm_settings: { num_retries: 5, drop_params: true }
router_settings: { model_group_alias: { "gpt-4": gpt-4o }, routing_strategy: least-busy }
general_settings: { master_key: sk-1234 }
`

describe("LiteLLM's config.yaml", () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld()
  })

  it('becomes channels, prices and retries, and reports unreadable parts', async () => {
    const steps = importing(world)
    const bytes = Buffer.from(config(world.upstream.url))
    const dry = await steps.checked(bytes)
    expect(dry.error).toBe('')
    expect(dry.report).toMatchObject({ origin: 'litellm', variables: ['AZURE_KEY'] })
    const told = dry.report?.remarks.map(({ row, outcome, text }) => `${row} ${outcome}: ${text}`)
    expect(told).toEqual([
      'gpt-4o changed: rpm 60 becomes the weight 60: it decides which share of the requests the channel gets, and limits nothing.',
      'small changed: rpm 60 becomes the weight 60: it decides which share of the requests the channel gets, and limits nothing.',
      'small note: These parameters have no counterpart: temperature.',
      'openai/* left_out: Entries with a wildcard or without a name cannot be imported. Add the models by name.',
      'strange left_out: The provider of "sagemaker/mine" is not supported.',
      'azure · gpt-4o changed: A value is in an environment variable that was not given. The channel is imported disabled, without its key.',
      'azure · gpt-4o changed: The field key is not valid or is empty and is left out.',
      'drop_params note: This setting has no counterpart.',
      'routing_strategy note: This setting has no counterpart.',
      'master_key note: The master key is not imported. Create an API token instead.',
    ])
    const done = await steps.imported(bytes)
    expect(countsIn(done.result?.tables ?? [])).toEqual({ channels: '9/0/0/2', options: '3/0/0/0' })
    const channels = [...world.gateway.inner.registry.all()]
    expect(channels.map(({ name, type, models, status, key }) => [name, type, models.join(), status, key])).toEqual([
      ['openai · gpt-4o', 1, 'gpt-4o,small,gpt-4', 1, 'sk-own'],
      ['azure · gpt-4o', 3, 'gpt-4o,gpt-4', 2, 'none'],
      ['groq · llama', 1, 'llama', 1, 'groq-key'],
      ['bedrock · claude', 33, 'claude', 1, 'AK|SK|eu-west-1'],
      ['anthropic · haiku', 14, 'haiku', 1, 'sk-ant'],
      ['anthropic · haiku', 14, 'haiku', 1, 'sk-ant'],
    ])
    expect([...(channels[0]?.modelMapping ?? [])]).toEqual([
      ['small', 'gpt-4o-mini'],
      ['gpt-4', 'gpt-4o'],
    ])
    const { settings } = world.gateway.inner
    expect([
      settings.get('ModelRatio')['gpt-4o'],
      settings.get('CompletionRatio')['gpt-4o'],
      settings.get('RetryTimes'),
    ]).toEqual([2.5, 6, 5])
    expect(Object.keys(settings.get('ModelRatio')).length, 'other prices stay').toBeGreaterThan(50)
    const alice = await world.user({ quota: 1_000_000 })
    expect((await alice.asks('gpt-4', 'hi')).status).toBe(200)
  })

  it('preserves prices that were set here, unless they are to be replaced', async () => {
    const here = await aWorld({ options: { ModelRatio: { 'gpt-4o': 7 } } })
    const bytes = Buffer.from(config(here.upstream.url))
    const steps = importing(here)
    const ratios = async (choices: object) =>
      (await steps.checked(bytes, choices)).report?.settings.find(({ key }) => key === 'ModelRatio')
    expect(await ratios({})).toBeUndefined()
    expect(await ratios({ overwrite: true })).toMatchObject({ before: '{"gpt-4o":7}', after: '{"gpt-4o":2.5}' })
  })

  it('adds nothing twice, and takes a variable that is given', async () => {
    const steps = importing(world)
    const again = await steps.checked(Buffer.from(config(world.upstream.url)))
    expect(again.report?.is_ready).toBe(false)
    const other = await aWorld()
    const given = await importing(other).imported(Buffer.from(config(other.upstream.url)), {
      secrets: { AZURE_KEY: 'azure-key' },
    })
    expect(given.stage).toBe('done')
    const azure = [...other.gateway.inner.registry.all()].find(({ type }) => type === 3)
    expect([azure?.status, azure?.key, azure?.other]).toEqual([1, 'azure-key', '2024-06-01'])
  })
})
