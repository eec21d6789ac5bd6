import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { readImportedLinks } from '../../links/imports/imported-links.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import { MAX_BLOCKS, type BlockInput, type CreateBioPage } from './schema.ts'

/** The blocks of a new page where they are the links of an import. */
export async function readBlocks(
  { sql }: Pick<LinkDeps, 'sql'>,
  principal: Principal,
  { importId, blocks }: CreateBioPage,
): Promise<{ blocks?: BlockInput[]; leftOut: number }> {
  if (importId === undefined) return { leftOut: 0 }
  if (blocks !== undefined)
    throw invalid(
      'blocks',
      'The blocks come from the import: send blocks or an importId, not both.',
    )
  const { links, total } = await inWorkspace(sql, principal.workspaceId, (tx) =>
    readImportedLinks(tx, principal, importId, MAX_BLOCKS),
  )
  return {
    blocks: links.map(({ id, name }) => ({ type: 'link', title: name, linkId: id })),
    leftOut: total - links.length,
  }
}
