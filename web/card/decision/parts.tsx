// What load-decision.tsx loads.
import { DecisionBlock } from './decision-block.tsx'
import { Receipts } from './receipts.tsx'

export { DecisionBlock, Receipts }
