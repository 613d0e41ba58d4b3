import { describe, expect, it } from 'vitest'
import { defaultModels } from '../../gateway/channels/registry/default-models.ts'
import {
  channelTypeById,
  channelTypeLabel,
  channelTypeNameById,
  channelTypeNames,
  channelTypes,
} from '../../shared/channel-types.ts'

const ids = [...range(1, 27), 31, ...range(33, 49)]
const rows = channelTypeNames.map((name) => channelTypes[name])

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

describe('the channel types (docs/reference/channel-types.md#types)', () => {
  it('are the 45 of the table, in its order', () => {
    expect(ids).toHaveLength(45)
    expect(rows.map(({ id }) => id)).toEqual(ids)
  })

  it('are named in kebab case and found by id', () => {
    for (const name of channelTypeNames) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
      expect(channelTypeNameById(channelTypes[name].id)).toBe(name)
    }
    expect(channelTypeById(14)).toBe(channelTypes.anthropic)
    expect(channelTypeById(28)).toBeUndefined()
  })

  it('get stream_options exactly where the table lists that', () => {
    const taking = rows.filter(({ streamOptions }) => streamOptions).map(({ id }) => id)
    expect(taking).toEqual([
      1,
      3,
      4,
      ...range(6, 10),
      ...range(12, 14),
      17,
      19,
      24,
      31,
      33,
      39,
      40,
      43,
      ...range(45, 48),
    ])
  })

  it('have special forms exactly where they are needed (docs/reference/screens.md#channel-editor), and an organisation for OpenAI', () => {
    const special = rows.filter(({ form }) => form !== 'plain').map(({ id }) => id)
    expect(special).toEqual([1, 2, 3, 5, 8, 15, 18, 21, 22, 23, 33, 36, 37, 39, 40, 41, 45, 49])
  })

  it('have a balance exactly where a call for it is known (docs/reference/channels.md#balances)', () => {
    const telling = rows.filter(({ balance }) => balance !== null).map(({ id, balance }) => [id, balance])
    expect(telling).toEqual([
      [1, 'openai-billing'],
      [8, 'openai-billing'],
      [10, 'aiproxy'],
      [12, 'api2gpt'],
      [13, 'aigc2d'],
      [20, 'openrouter'],
      [25, 'moonshot'],
      [40, 'siliconflow'],
      [43, 'deepseek'],
    ])
  })

  it('require an address exactly where there is no default to fall back on', () => {
    expect(rows.filter(({ baseUrlRequired }) => baseUrlRequired).map(({ id }) => id)).toEqual([2, 3, 5, 8, 36, 47])
    for (const { baseUrl } of rows) expect(baseUrl).not.toMatch(/\/$|\/v1$/)
  })

  it('cannot be tested where an answer takes a task or nothing answers', () => {
    expect(rows.filter(({ testable }) => !testable).map(({ id }) => id)).toEqual([2, 5, 21, 36])
  })

  it('list models below the base URL', () => {
    expect(channelTypes.ali.modelList.path).toBe('/compatible-mode/v1/models')
    expect(channelTypes.anthropic.modelList).toEqual({ path: '/v1/models', auth: 'x-api-key' })
    for (const { modelList } of rows) if (modelList !== null) expect(modelList.path).toMatch(/^\/.+\/models$/)
  })

  it('have a name in the language of the reader', () => {
    expect(channelTypeLabel(channelTypes.tencent, 'en')).toBe('Tencent Hunyuan')
    expect(channelTypeLabel(channelTypes.tencent, 'zh')).toBe('腾讯混元')
    expect(channelTypeLabel(channelTypes.openai, 'zh')).toBe('OpenAI')
    for (const { label } of rows) expect(label).not.toMatch(/[\u4e00-\u9fff]/)
  })
})

describe('the default models', () => {
  it('are listed for every type, each once', () => {
    expect(Object.keys(defaultModels)).toEqual(Object.keys(channelTypes))
    for (const names of Object.values(defaultModels)) expect(new Set(names).size).toBe(names.length)
  })

  it('follow the lists they refer to', () => {
    expect(defaultModels.azure).toEqual(defaultModels.openai)
    expect(defaultModels.vertex).toEqual(
      expect.arrayContaining([...(defaultModels.anthropic ?? []), ...(defaultModels.gemini ?? [])]),
    )
    expect(defaultModels['midjourney-plus']).toContain('mj_upload')
    expect(defaultModels.suno).toEqual(['suno_music', 'suno_lyrics'])
  })
})
