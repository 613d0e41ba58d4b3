import type { z } from 'zod'
import type { Figures, Said } from '../said.ts'
import type { Recorded, Script } from '../upstream.ts'

/** A vendor that checks requests against its published schema and responds in its own format. */
export type Vendor = Readonly<{
  /** Reasons for which the vendor would refuse a request. */
  faults(request: Recorded): readonly string[]
  /** Members that the vendor accepts and silently ignores; absent if it refuses unknown ones. */
  leavesAside?(request: Recorded): readonly string[]
  /** The names of the callable functions. */
  tools(request: Recorded): readonly string[]
  /** Whether the vendor thinks before it responds, and returns the reasoning. */
  thinks(request: Recorded): boolean
  /** A response, streamed if requested. */
  says(request: Recorded, said: Said, figures?: Figures): Script
  refuses(request: Recorded, status: number, message: string): Script
}>

/** Schema violations of a value, one line each. */
export function faultsIn(schema: z.ZodType, value: unknown): string[] {
  return linesOf(schema.safeParse(value).error?.issues ?? [])
}

const linesOf = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)

/** Paths of the members, at any depth, that a schema does not know. */
export function unknownMembers(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value)
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key].filter((step) => typeof step === 'string').join('.'))
      : [],
  )
}

/** Schema violations of a value other than unknown members. */
export function otherFaultsIn(schema: z.ZodType, value: unknown): string[] {
  const issues = schema.safeParse(value).error?.issues ?? []
  return linesOf(issues.filter(({ code }) => code !== 'unrecognized_keys'))
}

/** The rule as a list: its text if it is violated, else empty. */
export const rule = (holds: boolean, says: string): string[] => (holds ? [] : [says])
