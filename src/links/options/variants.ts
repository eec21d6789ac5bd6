import { invalid } from '../../platform/core/errors.ts'
import type { Variant } from '../../platform/facts/link-options.ts'
import { checkDestination, type IsOwn } from '../link/destination.ts'
import { MAX_VARIANTS, type VariantInput } from './option-shapes.ts'
import { checkOptionName, createIds } from './rules.ts'

const WHOLE = 100

/**
 * The variants of a request in the form in which they are stored.
 * @throws ApiError VALIDATION_ERROR with a path such as `variants.1.destinationUrl`, and `variants` for
 *   a single one and for weights that do not sum to 100
 */
export function checkVariants(
  input: readonly VariantInput[],
  isOwn: IsOwn,
  nowMs: number,
): Variant[] {
  if (input.length === 1)
    throw invalid(
      'variants',
      `variants must be empty or have 2 to ${MAX_VARIANTS} entries; it has 1.`,
    )
  const toId = createIds('var', nowMs)
  const variants = input.map((variant, i) => ({
    id: toId(variant.id, `variants.${i}.id`),
    name: checkOptionName(variant.name, `variants.${i}.name`),
    destinationUrl: checkDestination(variant.destinationUrl, isOwn, `variants.${i}.destinationUrl`),
    weight: variant.weight,
  }))
  const sum = variants.reduce((total, { weight }) => total + weight, 0)
  if (variants.length > 0 && sum !== WHOLE)
    throw invalid('variants', `The weights of variants must sum to ${WHOLE}; they sum to ${sum}.`)
  return variants
}
