import { z } from 'zod'
import { call } from './call.ts'

/**
 * Reading and writing options (docs/reference/options.md#writing). Values are always text; secrets are never read
 * back.
 */
export const option = {
  list: call({
    method: 'GET',
    path: '/api/option',
    summary: 'Lists the options that can be read; a secret is never among them.',
    access: 'operator',
    answer: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
  update: call({
    method: 'PUT',
    path: '/api/option',
    summary: 'Changes one option.',
    access: 'operator',
    /** `turnstile` proves the keys of the human check: a token the browser got with the site key, needed where a change could lock everybody out. */
    query: z.object({ turnstile: z.string().max(4096).optional() }),
    body: z.object({
      key: z.string().min(1).max(200),
      value: z.union([z.string().max(1_000_000), z.number(), z.boolean()]).transform(String),
    }),
    answer: z.null(),
  }),
  resetRatios: call({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    summary: 'Sets the prices of models back to their defaults.',
    access: 'operator',
    answer: z.null(),
  }),
}
