# Who decides a proposal that has passed its checks. A lower role is reached only by proof; what is unknown goes up.
package settledesk.routing

import data.settledesk.vocabulary

decider := {"role": "ap-clerk", "user": null} if {
	input.action in vocabulary.clerical
} else := {"role": "buyer", "user": input.facts.buyer.known} if {
	buyer_may_decide
	manager_may_decide
} else := {"role": "ap-manager", "user": null} if {
	manager_may_decide
} else := {"role": "controller", "user": null}

# The buyer judges price and item of an own order, and nothing else that may be open beside them.
buyer_may_decide if {
	input.action == "approve-variance"
	input.facts.buyer.known
	every reason in input.reasons {
		reason in vocabulary.buyer_judges
	}
}

manager_may_decide if {
	reasons_allow_manager
	within_limit
}

reasons_allow_manager if not input.action in vocabulary.pays

reasons_allow_manager if {
	every reason in input.reasons {
		reason in (vocabulary.buyer_judges | vocabulary.manager_pays)
	}
}

# A short payment is weighed by what is paid and by what is at issue, so that a small payment cannot choose its reviewer.
within_limit if {
	input.action == "short-pay"
	small(input.amount)
	small(input.facts.amount_at_issue)
}

within_limit if {
	input.action != "short-pay"
	small(input.facts.amount_at_issue)
	small(input.facts.total)
}

# Only an amount in the currency of the limits can be compared with them; the sign does not make an amount small.
small(money) if {
	money.currency == input.facts.limit_currency.known
	abs(money.known) <= vocabulary.limit_minor[money.currency]
}
