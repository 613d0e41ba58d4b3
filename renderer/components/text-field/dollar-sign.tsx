import './dollar-sign.css'

/** The `leftElement` of US dollar fields. */
export const DollarSign = () => <span className="dollar-sign">$</span>
