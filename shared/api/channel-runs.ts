import { z } from 'zod'
import { call } from './call.ts'
import { verdict } from './channel.ts'
import { idParams, text } from './fields.ts'

/** What a model is tested with (spec/relay.md §8.5). `none`: no short request can test it. */
export const testKinds = ['chat', 'completions', 'responses', 'embeddings', 'rerank', 'images', 'none'] as const
export type TestKind = (typeof testKinds)[number]

const examination = z.object({
  model: z.string(),
  /** The upstream's name of the model. */
  upstream_model: z.string(),
  kind: z.enum(testKinds),
  /** Null where the kind has no such call. */
  plain: verdict.nullable(),
  stream: verdict.nullable(),
  tool: verdict.nullable(),
})
export type DeepTestResult = z.infer<typeof examination>

/** One channel's outcome in a run over many. */
const runItem = z.object({
  channel_id: z.number(),
  name: z.string(),
  ok: z.boolean(),
  /** What went wrong; empty where nothing did. */
  message: z.string(),
  /** Seconds a test took; 0 for a balance. */
  seconds: z.number(),
  /** US dollars; null for a test. */
  balance: z.number().nullable(),
  /** What the run did to the channel: nothing, or switched it off or on. */
  switched: z.enum(['', 'off', 'on']),
})
export type RunItem = z.infer<typeof runItem>

const run = z.object({
  kind: z.enum(['test', 'balance']),
  state: z.enum(['running', 'cancelling', 'done', 'cancelled', 'failed']),
  total: z.number(),
  /** Unix seconds; 0 while it runs. */
  started_at: z.number(),
  ended_at: z.number(),
  /** Those that are through, in the order they ended. */
  items: z.array(runItem),
})
export type Run = z.infer<typeof run>

/**
 * What came of asking an upstream through a proxy. `ok`: the upstream answered, whatever it said. `not_a_proxy`: no proxy
 * of this kind is there; `proxy_refused`: it does not let this user, or this call, through; `upstream_unreachable`: the
 * proxy is there and the upstream is not.
 */
export const proxyCodes = [
  'ok',
  'not_a_proxy',
  'proxy_refused',
  'proxy_unreachable',
  'upstream_unreachable',
  'timeout',
] as const
const proxyVerdict = verdict.extend({ code: z.enum(proxyCodes) })
export type ProxyVerdict = z.infer<typeof proxyVerdict>
export type ProxyCode = ProxyVerdict['code']

/** Tests and balances beyond the specification's own calls, and how the runs over all channels go on. */
export const channelRuns = {
  /** A plain call, a stream and a tool call, as far as the model's kind has them; nobody is charged. */
  deepTest: call({
    method: 'POST',
    path: '/api/channel/deep_test/:id',
    access: 'admin',
    params: idParams,
    body: z.object({
      /** Empty for the channel's test model, else the first of its models that can be tested. */
      model: text(255).default(''),
    }),
    answer: examination,
  }),
  /** The last run of each kind since the start of the gateway, the newest first. */
  runs: call({ method: 'GET', path: '/api/channel/runs', access: 'admin', answer: z.array(run) }),
  /** Nothing new is begun; what is on its way ends. */
  cancelRun: call({
    method: 'DELETE',
    path: '/api/channel/runs/:kind',
    access: 'admin',
    params: z.object({ kind: z.enum(['test', 'balance']) }),
    answer: z.null(),
  }),
  /** Whether an address can be reached through an outbound proxy. */
  verifyProxy: call({
    method: 'POST',
    path: '/api/channel/proxy',
    access: 'admin',
    body: z.object({
      proxy: text(2000),
      type: z.number().int().min(0).max(10_000),
      base_url: text(2000).default(''),
      /** The channel whose stored proxy is meant where the password is masked. */
      id: z.number().int().positive().optional(),
    }),
    answer: proxyVerdict,
  }),
}
