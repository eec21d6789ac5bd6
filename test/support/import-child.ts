import { openPools } from './job-world.ts'
import { createImportFiles } from '../../src/links/imports/files.ts'
import { createImportRules, openShlinkApi } from './import-world.ts'

/** A worker of imports in a process of its own, until it is killed: `import-child.ts <postgres url>`. */
const { sql, systemSql } = openPools(process.argv[2]!)
process.stdout.write('ready\n')
const files = createImportFiles()
await createImportRules({ shlink: openShlinkApi().shlink, sql, systemSql, files })
  .worker()
  .run(new AbortController().signal)
