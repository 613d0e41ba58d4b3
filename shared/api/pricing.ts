import { z } from 'zod'
import { call } from './call.ts'
import { text } from './fields.ts'
import { logView } from './log.ts'

/** US dollars per thousand web searches, by context size. */
const searchPrices = z.object({ low: z.number(), medium: z.number(), high: z.number() })

/** One model's price before the group ratio (docs/reference/api.md#pricing). */
const listedPrice = z
  .object({
    model_name: z.string(),
    quota_type: z.union([z.literal(0), z.literal(1)]).describe('0: per token by ratio; 1: per call.'),
    model_ratio: z
      .number()
      .describe(
        '1 means 2 US dollars per million tokens, if a dollar is 500,000 units of quota; 0 for a price per call.',
      ),
    completion_ratio: z.number().describe('0 for a price per call, like all further ratios.'),
    model_price: z.number().describe('US dollars per call; 0 for prices per token.'),
    owner_by: z.literal(''),
    enable_groups: z
      .array(z.string())
      .describe('The groups that offer the model, among those that the caller may use.'),
    cache_ratio: z.number(),
    cache_creation_ratio: z.number(),
    cache_creation_ratio_1h: z.number(),
    image_ratio: z.number(),
    audio_ratio: z.number().nullable().describe('Null if audio costs the same as text, or has a separate price.'),
    audio_completion_ratio: z.number(),
    audio_input_price: z.number().nullable().describe('US dollars per million tokens of audio input, or null.'),
    price_steps: z
      .array(z.object({ above: z.int(), input: z.number(), output: z.number() }))
      .describe('Factors of the input and output prices for prompts with more than this number of tokens.'),
    web_search_price: searchPrices.describe('US dollars per thousand searches that the provider runs.'),
    unset: z
      .boolean()
      .describe('The model has no price; model_ratio is the default for models that are accepted without one.'),
  })
  .meta({ id: 'ListedPrice' })
export type ListedPrice = z.infer<typeof listedPrice>

const priceFacts = z.object({
  group_ratio: z.record(z.string(), z.number()).describe("The ratios of the caller's groups."),
  usable_group: z.record(z.string(), z.string()).describe("The caller's groups with their descriptions."),
  auto_groups: z.array(z.string()).describe('The groups that auto tries, in order.'),
  own_group: z.string().describe("The account's group; default for a visitor."),
  accepts_unset: z.boolean().describe('Whether the caller may use models without a price.'),
  quota_per_unit: z.number(),
  file_search_price: z.number().describe('US dollars per thousand searches of files.'),
  code_container_price: z.number().describe('US dollars per thousand gigabytes of containers in which programs ran.'),
})
export type PriceFacts = z.infer<typeof priceFacts>

/** Tokens in one usage field, up to a plausible maximum. */
const tokens = (what: string) => z.int().min(0).max(10_000_000).default(0).describe(what)
const searches = (what: string) => z.int().min(0).max(1_000_000).default(0).describe(what)

/** A hypothetical request to estimate the cost of. */
const estimateRequest = z.object({
  model: text(255).min(1),
  group: text(64)
    .default('')
    .describe("The group to use; empty means the caller's own, auto the first that offers the model."),
  user_id: z.int().positive().optional().describe("Used instead of the caller's account; for administrators."),
  user_group: text(64).default('').describe("Used instead of the account's group; for administrators."),
  semantics: z
    .enum(['openai', 'anthropic'])
    .default('openai')
    .describe('openai: the prompt includes tokens read from and written to a cache; anthropic: it does not.'),
  prompt_tokens: tokens('Of the prompt.'),
  completion_tokens: tokens('Of the completion.'),
  cache_tokens: tokens('Read from a cache.'),
  cache_creation_tokens: tokens('Written to a cache.'),
  cache_creation_tokens_1h: tokens('Written tokens that are cached for an hour.'),
  image_tokens: tokens('Those of the prompt that are images.'),
  audio_tokens: tokens('Those of the prompt that are audio.'),
  audio_completion_tokens: tokens('Those of the completion that are audio.'),
  web_search_calls: searches('Searches of the web that the provider runs.'),
  file_search_calls: searches('Searches of files that the provider runs.'),
  search_context: z.enum(['low', 'medium', 'high']).default('medium'),
  images: z
    .int()
    .min(1)
    .max(128)
    .default(1)
    .describe('Number of images or choices, by which a price per call is multiplied.'),
  image_size: text(32).default('').describe('Such as 1024x1792; decides the price of DALL·E.'),
  image_quality: text(32).default('').describe('Such as hd.'),
  requests: z.int().min(1).max(1_000_000_000).default(1).describe('Number of such requests.'),
})
export type EstimateRequest = z.input<typeof estimateRequest>
export type ParsedEstimateRequest = z.output<typeof estimateRequest>

const estimate = z
  .object({
    ...logView.pick({ model_name: true, group: true, quota: true, prompt_tokens: true, completion_tokens: true }).shape,
    content: z.string().describe('The charge in words, as in the log.'),
    other: z.string().describe('The receipt as JSON text, as in the log.'),
    total_quota: z.int().describe('The charge for all requests; at most 2^53 - 1.'),
    user_group: z.string().describe('The group of the account for which the price was calculated.'),
    is_offered: z.boolean().describe('Whether a channel offers the model to the group.'),
  })
  .meta({ id: 'Estimate' })
export type Estimate = z.infer<typeof estimate>

/** Model prices and cost estimates (docs/reference/api.md#pricing). */
export const pricing = {
  list: call({
    method: 'GET',
    path: '/api/pricing',
    summary: 'Lists the models on offer with their prices, and the groups the caller may use with their ratios.',
    access: 'visitor',
    answer: z.array(listedPrice),
    extras: priceFacts,
  }),
  estimate: call({
    method: 'POST',
    path: '/api/pricing/estimate',
    summary: 'Returns the receipt of a request without charging it.',
    access: 'visitor',
    onDemo: 'open',
    body: estimateRequest,
    answer: estimate,
  }),
}
