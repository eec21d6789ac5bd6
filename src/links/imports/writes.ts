import type { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { RowLink } from './rows.ts'
import type { CreateLink, UpdateLink } from '../link/schema.ts'

/** Outcome of the write of a link. */
export type Written =
  | { status: 'created' | 'updated' | 'unchanged' | 'deleted'; link: { id: string } & RowLink }
  | { status: 'failed'; error: ApiError }

/** Hashes of passwords, or the reasons against them, by the place of the link in a list. */
export type Hashes = ReadonlyMap<number, string | ApiError>

/**
 * The rules of links that an import writes through. Each link of a list fails alone. `operationId` names the
 * import, by which its writes can be undone.
 */
export type LinkWrites = {
  /** The links that have the slugs of these, each on its own domain; null for one without, or with an unknown domain. */
  findBySlug(
    tx: Tx,
    principal: Principal,
    inputs: readonly Pick<CreateLink, 'slug' | 'domainId' | 'domain'>[],
  ): Promise<(string | null)[]>
  /** @throws ApiError VALIDATION_ERROR with the paths of fields */
  checkNew(input: unknown): CreateLink
  /** @throws ApiError VALIDATION_ERROR with the paths of fields */
  checkChange(input: unknown): UpdateLink
  createMany(
    tx: Tx,
    principal: Principal,
    inputs: readonly CreateLink[],
    hashes: Hashes,
    operationId: string,
  ): Promise<Written[]>
  updateMany(
    tx: Tx,
    principal: Principal,
    changes: readonly { id: string; input: UpdateLink }[],
    hashes: Hashes,
    operationId: string,
  ): Promise<Written[]>
  /**
   * @param isDry true where no hash is needed: then the passwords are checked, and their hashes are none
   */
  hashPasswords(
    principal: Principal,
    passwords: readonly (string | null | undefined)[],
    isDry: boolean,
  ): Promise<Hashes>
}
