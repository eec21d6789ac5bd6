/** The tests of the redirect once more, as with EDGE_FAST=false. */
process.env.SIGNPOST_SHORT_PATH = 'false'
for (const name of ['edge', 'hosts', 'options', 'password', 'bio-pages', 'sp-id'])
  await import(`./${name}.test.ts`)
await import('../platform/base/http-server.test.ts')
