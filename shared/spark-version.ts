const DEFAULT_VERSION = 'v1.1'
const named = /^SparkDesk-(v\d+\.\d+)$/i

/**
 * The Spark version of a model's calls (docs/reference/channel-types.md#iflytek-spark): the one in its name, else the
 * channel's, else v1.1.
 */
export const sparkVersion = (model: string, other: string): string =>
  named.exec(model)?.[1]?.toLowerCase() ?? (other.trim() || DEFAULT_VERSION)
