import { requestId } from '../gateway/base/ids.ts'

const DAY_S = 86_400

/** Requests for the log: every page, filter, search and sum of the console, with and without matches. Paths by name. */
export function logQuestions(nowSeconds: number): Readonly<Record<string, string>> {
  const day = `start_timestamp=${nowSeconds - DAY_S}&end_timestamp=${nowSeconds + 3600}`
  const week = `start_timestamp=${nowSeconds - 14 * DAY_S}&end_timestamp=${nowSeconds - 7 * DAY_S}`
  const never = `start_timestamp=${nowSeconds - 400 * DAY_S}&end_timestamp=${nowSeconds - 300 * DAY_S}`
  const lists: Record<string, string> = {
    'first page': 'p=1',
    'page 100': 'p=100',
    'page 10,000': 'p=10000',
    'a type': 'p=1&type=5',
    'a type, page 1,000': 'p=1000&type=5',
    'a token': 'p=1&token_name=token-1',
    'a model': 'p=1&model_name=vendor/model-7',
    'a pattern': 'p=1&model_name=%25model-7',
    'a part of a name': 'p=1&model_contains=del-7&token_contains=ken',
    'a group': 'p=1&group=vip',
    streams: 'p=1&stream=true',
    'a day': `p=1&${day}`,
    'a week': `p=1&${week}`,
    'no such type': 'p=1&type=3',
    'no such token': 'p=1&token_name=nobody',
    'no such model': 'p=1&model_name=nothing',
    'no such pattern': 'p=1&model_name=%25nothing%25',
    'no such part': 'p=1&model_contains=nothing&token_contains=nobody',
    'no such group': 'p=1&group=nobody',
    'no such request': `p=1&request_id=${requestId((nowSeconds - DAY_S) * 1000)}`,
    'no such time': `p=1&${never}`,
    'a type and no such token in a week': `p=1&type=5&token_name=nobody&${week}`,
  }
  const forAll: Record<string, string> = {
    'a user': 'p=1&username=person-7',
    'a channel': 'p=1&channel=3',
    'no such user': 'p=1&username=nobody',
    'a part of a user name': 'p=1&username_contains=on-7',
    'no such part of a user name': 'p=1&username_contains=nobody',
    'several tries': 'p=1&retried=true',
    'no such tries': 'p=1&retried=true&type=5&username_contains=nobody',
    'no such channel': 'p=1&channel=99',
  }
  const sums: Record<string, string> = {
    everything: '',
    'a day': day,
    'a week': week,
    'a model': 'model_name=vendor/model-7',
    'a pattern': 'model_name=%25model-7%25',
    'no such token': 'token_name=nobody',
  }
  return {
    ...named('all', '/api/log', { ...lists, ...forAll }),
    ...named('own', '/api/log/self', lists),
    ...named('all, sums', '/api/log/stat', { ...sums, 'a user': 'username=person-7' }),
    ...named('own, sums', '/api/log/self/stat', sums),
    ...named('all, search', '/api/log/search', { 'a hit': 'keyword=rate limit', 'no hit': 'keyword=nothing-of-this' }),
    ...named('own, search', '/api/log/self/search', { 'a hit': 'keyword=rate limit', 'no hit': 'keyword=nothing' }),
  }
}

const named = (who: string, path: string, queries: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(queries).map(([name, query]) => [`${who}: ${name}`, `${path}?${query}`]))
