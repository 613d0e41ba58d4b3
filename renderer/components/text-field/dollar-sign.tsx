import './dollar-sign.css'

/** What stands before an amount of US dollars in its field; for `leftElement`. */
export const DollarSign = () => <span className="dollar-sign">$</span>
