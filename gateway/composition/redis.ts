/** The parts for Redis, loaded as one chunk, and only with `REDIS_URL`. */
export { readRedisReport } from '../shared-state/redis/redis-report.ts'
export { openRedisState } from '../shared-state/redis/redis-state.ts'
