/**
 * Bedrock's ids of Claude models, and the groups of regions that share each through an inference profile
 * (docs/reference/channel-types.md#amazon-bedrock).
 */
const models: Readonly<Record<string, Readonly<{ id: string; shared: readonly string[] }>>> = {
  'claude-instant-1.2': { id: 'anthropic.claude-instant-v1', shared: [] },
  'claude-2.0': { id: 'anthropic.claude-v2', shared: [] },
  'claude-2.1': { id: 'anthropic.claude-v2:1', shared: [] },
  'claude-3-sonnet-20240229': { id: 'anthropic.claude-3-sonnet-20240229-v1:0', shared: ['us', 'eu', 'ap'] },
  'claude-3-opus-20240229': { id: 'anthropic.claude-3-opus-20240229-v1:0', shared: ['us'] },
  'claude-3-haiku-20240307': { id: 'anthropic.claude-3-haiku-20240307-v1:0', shared: ['us', 'eu', 'ap'] },
  'claude-3-5-sonnet-20240620': { id: 'anthropic.claude-3-5-sonnet-20240620-v1:0', shared: ['us', 'eu', 'ap'] },
  'claude-3-5-sonnet-20241022': { id: 'anthropic.claude-3-5-sonnet-20241022-v2:0', shared: ['us', 'ap'] },
  'claude-3-5-haiku-20241022': { id: 'anthropic.claude-3-5-haiku-20241022-v1:0', shared: ['us'] },
  'claude-3-7-sonnet-20250219': { id: 'anthropic.claude-3-7-sonnet-20250219-v1:0', shared: ['us', 'ap', 'eu'] },
  'claude-sonnet-4-20250514': { id: 'anthropic.claude-sonnet-4-20250514-v1:0', shared: ['us', 'ap', 'eu'] },
  'claude-opus-4-20250514': { id: 'anthropic.claude-opus-4-20250514-v1:0', shared: ['us'] },
  'claude-opus-4-1-20250805': { id: 'anthropic.claude-opus-4-1-20250805-v1:0', shared: ['us'] },
  'claude-sonnet-4-5-20250929': { id: 'anthropic.claude-sonnet-4-5-20250929-v1:0', shared: ['us', 'ap', 'eu'] },
  'claude-sonnet-4-6': { id: 'anthropic.claude-sonnet-4-6', shared: ['us', 'ap', 'eu'] },
  'claude-haiku-4-5-20251001': { id: 'anthropic.claude-haiku-4-5-20251001-v1:0', shared: ['us', 'ap', 'eu'] },
  'claude-opus-4-5-20251101': { id: 'anthropic.claude-opus-4-5-20251101-v1:0', shared: ['us', 'ap', 'eu'] },
  'claude-opus-4-6': { id: 'anthropic.claude-opus-4-6-v1', shared: ['us', 'ap', 'eu'] },
  'claude-opus-4-7': { id: 'anthropic.claude-opus-4-7', shared: ['us', 'ap', 'eu'] },
  'claude-opus-4-8': { id: 'anthropic.claude-opus-4-8', shared: ['us', 'ap', 'eu'] },
}

const profiles: Readonly<Record<string, string>> = { us: 'us', eu: 'eu', ap: 'apac' }

/**
 * Returns Bedrock's model for a region: the inference profile of the region's group if there is one. An unknown name is
 * already Bedrock's: an id, a profile or an ARN.
 */
export function bedrockModel(name: string, region: string): string {
  const model = Object.hasOwn(models, name) ? models[name] : undefined
  if (!model) return name
  const group = region.startsWith('us-gov-') ? '' : (region.split('-')[0] ?? '')
  return model.shared.includes(group) ? `${profiles[group]}.${model.id}` : model.id
}
