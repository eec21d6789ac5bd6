import { named } from '../routes/shape.ts'
import { CAPABILITY_NAMES, type Capability } from './plan.ts'
import { fieldsOf, flag } from '../resources/shapes.ts'

const capabilityOf = (name: Capability) => flag(`Whether the plan includes \`${name}\`.`, true)

/** The capabilities of a plan, by their names. */
export const PlanCapabilities = named('PlanCapabilities', fieldsOf(CAPABILITY_NAMES, capabilityOf))
