// What load-decision.tsx loads.
import { DecisionBlock } from './decision-block.tsx'
import { ReceiptList } from './receipts.tsx'

export { DecisionBlock, ReceiptList }
