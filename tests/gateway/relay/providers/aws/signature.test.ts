import { describe, expect, it } from 'vitest'
import { signed } from '../../../../../gateway/relay/providers/aws/signature.ts'

/** The keys and the time of AWS's examples. */
const suite = {
  accessKey: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
}
const at = Date.UTC(2015, 7, 30, 12, 36)
const FORM = 'application/x-www-form-urlencoded'

type Case = Readonly<{ method?: string; url?: string; type?: string; body?: string; service?: string; names: string }>

/** The "Signature Version 4 test suite" and the worked example (IAM's ListUsers) of the AWS General Reference. */
const cases: Record<string, Case & { signature: string }> = {
  'get-vanilla': {
    names: 'host;x-amz-date',
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  'get-vanilla-query-order-key-case': {
    url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1',
    names: 'host;x-amz-date',
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  'post-vanilla': {
    method: 'POST',
    names: 'host;x-amz-date',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  'post-x-www-form-urlencoded': {
    method: 'POST',
    type: FORM,
    body: 'Param1=value1',
    names: 'content-type;host;x-amz-date',
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
  ListUsers: {
    url: 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
    type: `${FORM}; charset=utf-8`,
    service: 'iam',
    names: 'content-type;host;x-amz-date',
    signature: '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  },
}

describe('a signature for AWS', () => {
  for (const [name, example] of Object.entries(cases)) {
    const { method = 'GET', url = 'https://example.amazonaws.com/', type, body = '', service = 'service' } = example
    it(`is the published one: ${name}`, () => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
      const made = signed({ ...suite, service }, { method, url: new URL(url), headers, body, at })
      const scope = `AKIDEXAMPLE/20150830/us-east-1/${service}/aws4_request`
      expect(made).toEqual({
        'x-amz-date': '20150830T123600Z',
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${example.names}, Signature=${example.signature}`,
      })
    })
  }
})
